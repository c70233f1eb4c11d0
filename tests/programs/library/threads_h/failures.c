// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=true
// What functions of C11 tell about what is not possible.
#include <assert.h>
#include <threads.h>

int main(void)
{
    mtx_t mutex;
    cnd_t condition;
    struct timespec none = {0, 1000000000};
    assert(mtx_init(&mutex, 9) == thrd_error);
    assert(mtx_init(&mutex, mtx_timed | mtx_recursive) == thrd_success);
    assert(cnd_init(&condition) == thrd_success);
    int result = mtx_timedlock(&mutex, &none);
    assert(result == thrd_success || result == thrd_error);
    if (result != thrd_success)
        mtx_lock(&mutex);
    assert(cnd_timedwait(&condition, &mutex, &none) == thrd_error);
    assert(thrd_sleep(&none, 0) < 0);
    mtx_unlock(&mutex);
    cnd_destroy(&condition);
    mtx_destroy(&mutex);
    return 0;
}
