// sley: reach=true race=false deadlock=true memory=false overflow=true
// The pointer is taken under the lock, but the block is read after it.
#include <pthread.h>
#include <stdlib.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int *block;

void *reader(void *unused)
{
    pthread_mutex_lock(&lock);
    int *mine = block;
    pthread_mutex_unlock(&lock);
    int seen = mine ? *mine : 0;
    return seen == 7 ? &lock : 0;
}

int main(void)
{
    pthread_t thread;
    block = calloc(1, sizeof *block);
    pthread_create(&thread, 0, reader, 0);
    pthread_mutex_lock(&lock);
    free(block);
    block = 0;
    pthread_mutex_unlock(&lock);
    pthread_join(thread, 0);
    return 0;
}
