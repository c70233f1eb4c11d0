// sley: reach=false race=true deadlock=true memory=true overflow=true misuse=true
// mtx_trylock does not wait: it can find the mutex busy.
#include <assert.h>
#include <threads.h>

mtx_t mutex;

int worker(void *unused)
{
    int result = mtx_trylock(&mutex);
    assert(result == thrd_success || result == thrd_busy);
    if (result == thrd_success)
        mtx_unlock(&mutex);
    return result;
}

int main(void)
{
    thrd_t thread;
    int result;
    mtx_init(&mutex, mtx_plain);
    thrd_create(&thread, worker, 0);
    mtx_lock(&mutex);
    mtx_unlock(&mutex);
    thrd_join(thread, &result);
    assert(result == thrd_success);
    return 0;
}
