// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=true
// Keys that two threads make at the same time differ, and keep what is their own.
#include <assert.h>
#include <pthread.h>

pthread_key_t first, second;
int value;

void *worker(void *unused)
{
    pthread_key_create(&first, 0);
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    pthread_key_create(&second, 0);
    pthread_join(thread, 0);
    assert(first != second);
    pthread_setspecific(first, &value);
    assert(pthread_getspecific(first) == &value && !pthread_getspecific(second));
    return 0;
}
