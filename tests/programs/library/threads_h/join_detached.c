// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=false
// A thread of C11 that is detached cannot be joined.
#include <threads.h>

int worker(void *unused)
{
    return 0;
}

int main(void)
{
    thrd_t thread;
    thrd_create(&thread, worker, 0);
    thrd_detach(thread);
    thrd_join(thread, 0);
    return 0;
}
