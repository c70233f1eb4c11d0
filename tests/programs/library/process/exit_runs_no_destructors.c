// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=true
// exit runs neither cleanup handlers nor destructors of thread-specific data.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

pthread_key_t key;

void fail(void *unused)
{
    assert(0);
}

void *worker(void *unused)
{
    pthread_setspecific(key, &key);
    pthread_cleanup_push(fail, 0);
    exit(0);
    pthread_cleanup_pop(0);
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_key_create(&key, fail);
    pthread_create(&thread, 0, worker, 0);
    pthread_join(thread, 0);
    assert(0);
    return 0;
}
