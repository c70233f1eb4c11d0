// sley: reach=true race=false deadlock=true memory=true overflow=true
// A join that does not wait orders nothing if it fails.
#define _GNU_SOURCE
#include <pthread.h>

int value;

void *worker(void *unused)
{
    value = 1;
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    pthread_tryjoin_np(thread, 0);
    value = 2;
    return 0;
}
