// sley: reach=true race=true deadlock=true memory=true overflow=true
// A key has a value of its own in each thread, at first null.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

pthread_key_t key;
int numbers[2] = {1, 2};

void *worker(void *unused)
{
    assert(pthread_getspecific(key) == NULL);
    pthread_setspecific(key, &numbers[1]);
    assert(*(int *)pthread_getspecific(key) == 2);
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_key_create(&key, NULL);
    pthread_setspecific(key, &numbers[0]);
    pthread_create(&thread, 0, worker, 0);
    assert(pthread_getspecific(key) == &numbers[0]);
    pthread_join(thread, 0);
    return 0;
}
