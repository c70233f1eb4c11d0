// sley: reach=true race=true deadlock=true memory=true overflow=true
// The block is used, freed and forgotten under one lock.
#include <pthread.h>
#include <stdlib.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int *block;

void *writer(void *unused)
{
    pthread_mutex_lock(&lock);
    if (block)
        *block = 1;
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void)
{
    pthread_t thread;
    block = malloc(sizeof *block);
    pthread_create(&thread, 0, writer, 0);
    pthread_mutex_lock(&lock);
    free(block);
    block = 0;
    pthread_mutex_unlock(&lock);
    pthread_join(thread, 0);
    return 0;
}
