// sley: reach=true race=true deadlock=true memory=false overflow=true
// A thread writes behind the end of an array whose length another thread chose.
#include <pthread.h>
#include <stddef.h>

static int length = 2;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *shorten(void *unused)
{
    pthread_mutex_lock(&lock);
    length = 1;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, shorten, NULL);
    pthread_mutex_lock(&lock);
    int numbers[length];
    pthread_mutex_unlock(&lock);
    numbers[1] = 5;
    pthread_join(thread, NULL);
    return 0;
}
