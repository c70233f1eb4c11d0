// sley: reach=true race=false deadlock=true memory=true overflow=true
// A counter is guarded by a mutex, except where it is printed.
#include <pthread.h>
#include <stdio.h>

static struct {
    pthread_mutex_t lock;
    unsigned long hits;
} stats = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void *serve(void *arg)
{
    (void)arg;
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&stats.lock);
        stats.hits++;
        pthread_mutex_unlock(&stats.lock);
    }
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, serve, NULL);
    printf("%lu hits so far\n", stats.hits);
    pthread_join(thread, NULL);
    printf("%lu hits\n", stats.hits);
    return 0;
}
