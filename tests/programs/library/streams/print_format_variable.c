// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=true
// A format that is no literal is a string that is read, under the lock that protects it.
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char format[8] = "n %d\n";

static void *worker(void *unused)
{
    pthread_mutex_lock(&lock);
    format[0] = 'm';
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    pthread_mutex_lock(&lock);
    printf(format, 3);
    pthread_mutex_unlock(&lock);
    pthread_join(thread, 0);
    return 0;
}
