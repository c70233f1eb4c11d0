// sley: reach=true race=true deadlock=true memory=false overflow=true
// The thread waits for a flag that is raised after its block has been freed.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

atomic_bool go;

void *worker(void *number)
{
    while (!go)
        ;
    *(int *)number = 2;
    return 0;
}

int main(void)
{
    pthread_t thread;
    int *number = malloc(sizeof(int));
    pthread_create(&thread, 0, worker, number);
    free(number);
    go = 1;
    pthread_join(thread, 0);
    return 0;
}
