// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=true
// Main returns: destructors of thread-specific data do not run, and no value is left in the other thread.
#include <assert.h>
#include <pthread.h>

pthread_key_t key;
int value;

void destroy(void *unused)
{
    assert(0);
}

void *worker(void *unused)
{
    assert(pthread_getspecific(key) == 0);
    pthread_setspecific(key, 0);
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_key_create(&key, destroy);
    pthread_create(&thread, 0, worker, 0);
    pthread_setspecific(key, &value);
    assert(pthread_getspecific(key) == &value);
    pthread_join(thread, 0);
    return 0;
}
