// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=true
// A function of the program's own prints through vfprintf what it is given, under a lock.
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char state[4] = "new";

static void report(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    pthread_mutex_lock(&lock);
    vfprintf(stderr, format, arguments);
    pthread_mutex_unlock(&lock);
    va_end(arguments);
}

static void *worker(void *unused)
{
    pthread_mutex_lock(&lock);
    state[0] = 'N';
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    report("%s\n", state);
    pthread_join(thread, 0);
    return 0;
}
