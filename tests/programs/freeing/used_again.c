// sley: reach=true race=true deadlock=true memory=true overflow=true
// A block may come where another one was freed; who gets it comes after the free.
#include <pthread.h>
#include <stdlib.h>

void *other(void *unused)
{
    int *mine = malloc(sizeof *mine);
    *mine = 2;
    free(mine);
    return 0;
}

int main(void)
{
    pthread_t thread;
    int *block = malloc(sizeof *block);
    pthread_create(&thread, 0, other, 0);
    *block = 1;
    free(block);
    pthread_join(thread, 0);
    return 0;
}
