// sley: reach=true race=false deadlock=true memory=true overflow=true misuse=true
// Two threads draw random numbers at a time, and `rand` need not be safe for that (C11 7.22.2.1p3).
#include <pthread.h>
#include <stdlib.h>

void *worker(void *unused)
{
    rand();
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    rand();
    pthread_join(thread, 0);
    return 0;
}
