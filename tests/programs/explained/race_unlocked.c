// sley: reach=true race=false deadlock=true memory=true overflow=true
// A logger counts its messages under its mutex, but reports the count without it.
// why: main holds no lock; writer holds `log_lock` since step \d+
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t log_lock = PTHREAD_MUTEX_INITIALIZER;
static int messages;

static void log_message(const char *text)
{
    pthread_mutex_lock(&log_lock);
    messages++;  // decisive
    puts(text);
    pthread_mutex_unlock(&log_lock);
}

static void *writer(void *unused)
{
    for (int i = 0; i < 2; i++)
        log_message("tick");
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, writer, NULL);
    log_message("started");
    printf("%d messages so far\n", messages);  // decisive
    pthread_join(thread, NULL);
    return 0;
}
