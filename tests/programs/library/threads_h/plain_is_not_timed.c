// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=false
// A mutex of C11 that was not made for it is locked with a deadline.
#include <threads.h>

int main(void)
{
    mtx_t mutex;
    struct timespec deadline = {1, 0};
    mtx_init(&mutex, mtx_plain);
    if (mtx_timedlock(&mutex, &deadline) == thrd_success)
        mtx_unlock(&mutex);
    mtx_destroy(&mutex);
    return 0;
}
