// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=true
// A recursive mutex counts, and is free only after the last unlock.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>

pthread_mutex_t lock;
int counter;

static void increment(void)
{
    pthread_mutex_lock(&lock);
    counter++;
    pthread_mutex_unlock(&lock);
}

void *worker(void *unused)
{
    pthread_mutex_lock(&lock);
    increment();
    increment();
    assert(counter == 2 || counter == 4);
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&lock, &attributes);
    pthread_create(&thread, 0, worker, 0);
    worker(0);
    pthread_join(thread, 0);
    assert(counter == 4);
    return 0;
}
