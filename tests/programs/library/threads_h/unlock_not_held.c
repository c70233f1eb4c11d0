// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=false
// A mutex of C11 is unlocked by a thread that does not hold it.
#include <threads.h>

int main(void)
{
    mtx_t mutex;
    mtx_init(&mutex, mtx_plain);
    mtx_unlock(&mutex);
    return 0;
}
