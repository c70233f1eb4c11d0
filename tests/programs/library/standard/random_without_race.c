// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=true
// Two threads draw random numbers at a time; `random` is safe for that (POSIX XSH 2.9.1).
#include <pthread.h>
#include <stdlib.h>

void *worker(void *unused)
{
    random();
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    random();
    pthread_join(thread, 0);
    return 0;
}
