// sley: reach=true race=true deadlock=true memory=false overflow=true
// The block that a thread returns is lost because nobody asks for the result.
#include <pthread.h>
#include <stdlib.h>

void *worker(void *unused)
{
    return malloc(sizeof(int));
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    pthread_join(thread, 0);
    return 0;
}
