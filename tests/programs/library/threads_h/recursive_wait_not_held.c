// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=false
// A thread waits with a recursive mutex of C11 that it does not hold (C11 7.26.3.6p2).
#include <threads.h>

int main(void)
{
    mtx_t mutex;
    cnd_t condition;
    mtx_init(&mutex, mtx_plain | mtx_recursive);
    cnd_init(&condition);
    int result = cnd_wait(&condition, &mutex);
    cnd_destroy(&condition);
    mtx_destroy(&mutex);
    return result;
}
