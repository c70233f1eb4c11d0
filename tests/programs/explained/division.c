// sley: reach=true race=true deadlock=true memory=true overflow=true division=false
// An average over the requests that were done, when none was done yet.
// why: `requests` still has its initial value
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int requests, milliseconds;

static void *serve(void *unused)
{
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&lock);
        requests++;
        milliseconds += 10;
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, serve, NULL);
    pthread_mutex_lock(&lock);
    printf("%d ms on average\n", milliseconds / requests);  // decisive
    pthread_mutex_unlock(&lock);
    pthread_join(thread, NULL);
    return 0;
}
