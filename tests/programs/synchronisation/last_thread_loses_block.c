// sley: reach=true race=true deadlock=true memory=false overflow=true misuse=true
// Main has left by pthread_exit, and what the last thread points to is lost when it ends, and the process with it.
#include <pthread.h>
#include <stdlib.h>

void *worker(void *unused)
{
    int *own = malloc(sizeof *own);
    *own = 1;
    pthread_exit(0);
}

int main(void)
{
    pthread_t one, other;
    pthread_create(&one, 0, worker, 0);
    pthread_create(&other, 0, worker, 0);
    pthread_exit(0);
}
