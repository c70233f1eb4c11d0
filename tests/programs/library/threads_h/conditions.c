// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=true
// Conditions of C11: what is waited for in a loop holds afterwards, and a wait with a deadline ends.
#include <assert.h>
#include <threads.h>

mtx_t mutex;
cnd_t ready, never;
int data;

int worker(void *unused)
{
    mtx_lock(&mutex);
    data = 7;
    cnd_signal(&ready);
    cnd_broadcast(&ready);
    mtx_unlock(&mutex);
    return 0;
}

int main(void)
{
    thrd_t thread;
    struct timespec deadline = {1, 0};
    mtx_init(&mutex, mtx_plain);
    cnd_init(&ready);
    cnd_init(&never);
    thrd_create(&thread, worker, 0);
    mtx_lock(&mutex);
    while (data == 0)
        cnd_wait(&ready, &mutex);
    assert(data == 7);
    while (cnd_timedwait(&never, &mutex, &deadline) == thrd_success)
        ;
    mtx_unlock(&mutex);
    thrd_join(thread, 0);
    cnd_destroy(&ready);
    cnd_destroy(&never);
    return 0;
}
