// sley: reach=true race=true deadlock=true memory=false overflow=true misuse=true
// The block that the last thread returns is lost: nobody is left who could join it.
#include <pthread.h>
#include <stdlib.h>

void *worker(void *unused)
{
    int *result = malloc(sizeof *result);
    *result = 1;
    return result;
}

int main(void)
{
    pthread_t one;
    pthread_create(&one, 0, worker, 0);
    pthread_exit(0);
}
