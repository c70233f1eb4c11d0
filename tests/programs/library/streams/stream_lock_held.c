// sley: reach=true race=true deadlock=false memory=true overflow=true misuse=true
// A thread that ends without unlocking a stream leaves the others waiting.
#include <pthread.h>
#include <stdio.h>

static void *worker(void *unused)
{
    flockfile(stdout);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    pthread_join(thread, 0);
    puts("never");
    return 0;
}
