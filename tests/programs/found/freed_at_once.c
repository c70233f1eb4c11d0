// sley: reach=true race=true memory=true
// A block is gone before anybody could look: runs that are held against guesses have to do without it.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

int never;

void *worker(void *unused)
{
    int *block = malloc(2 * sizeof *block);
    block[0] = 1;
    block[0] = 0;
    assert(*block != 1);
    free(block);
    return 0;
}

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, 0, worker, 0);
    pthread_create(&second, 0, worker, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    assert(never != 2);
    return 0;
}
