// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=false
// A recursive mutex of C11 is unlocked by a thread that does not hold it (C11 7.26.4.6p2).
#include <threads.h>

int main(void)
{
    mtx_t mutex;
    mtx_init(&mutex, mtx_plain | mtx_recursive);
    int result = mtx_unlock(&mutex);
    mtx_destroy(&mutex);
    return result;
}
