// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=true
// A plain, a timed and a recursive mutex of C11 protect counters.
#include <assert.h>
#include <threads.h>

mtx_t plain, timed, recursive;
int count, maybe, twice;

int worker(void *unused)
{
    struct timespec deadline = {1, 0};
    mtx_lock(&plain);
    count++;
    mtx_unlock(&plain);
    int result = mtx_timedlock(&timed, &deadline);
    assert(result == thrd_success || result == thrd_timedout);
    if (result == thrd_success) {
        maybe++;
        mtx_unlock(&timed);
    }
    mtx_lock(&recursive);
    assert(mtx_trylock(&recursive) == thrd_success);
    twice++;
    mtx_unlock(&recursive);
    mtx_unlock(&recursive);
    return 0;
}

int main(void)
{
    thrd_t thread;
    assert(mtx_init(&plain, mtx_plain) == thrd_success);
    assert(mtx_init(&timed, mtx_timed) == thrd_success);
    assert(mtx_init(&recursive, mtx_plain | mtx_recursive) == thrd_success);
    thrd_create(&thread, worker, 0);
    worker(0);
    thrd_join(thread, 0);
    assert(count == 2 && maybe <= 2 && twice == 2);
    mtx_destroy(&plain);
    mtx_destroy(&timed);
    mtx_destroy(&recursive);
    return 0;
}
