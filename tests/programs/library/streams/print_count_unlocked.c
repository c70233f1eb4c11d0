// sley: reach=true race=false deadlock=true memory=true overflow=true misuse=true
// To print can also be to write: %n into a variable that another thread reads.
#include <pthread.h>
#include <stdio.h>

static int written;

static void *worker(void *unused)
{
    printf("text%n\n", &written);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    int seen = written;
    pthread_join(thread, 0);
    return seen > 4;
}
