// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=true
// What a handler frees does not leak, whoever ends the process; the handlers run once.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

int **block;
int runs;

void release(void)
{
    assert(++runs == 1);
    free(*block);
    free(block);
    block = 0;
}

void *worker(void *unused)
{
    exit(0);
}

int main(void)
{
    pthread_t thread;
    block = malloc(sizeof *block);
    *block = malloc(sizeof **block);
    atexit(release);
    pthread_create(&thread, 0, worker, 0);
    return 0;
}
