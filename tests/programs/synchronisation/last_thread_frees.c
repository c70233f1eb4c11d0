// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=true
// Main leaves by pthread_exit; whoever ends last, all blocks are freed or kept by a global.
#include <pthread.h>
#include <stdlib.h>

int *kept;

void *worker(void *argument)
{
    free(argument);
    return 0;
}

int main(void)
{
    pthread_t one;
    kept = malloc(sizeof *kept);
    *kept = 1;
    pthread_create(&one, 0, worker, malloc(4));
    pthread_exit(0);
}
