// sley: reach=true race=true deadlock=true memory=true overflow=true
// The section frees only if the other thread has said that it is done, in a section of its own.
#include <pthread.h>
#include <stdlib.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

int is_done;
int *block;

void *writer(void *mine)
{
    *(int *)mine = 1;
    __VERIFIER_atomic_begin();
    is_done = 1;
    __VERIFIER_atomic_end();
    return 0;
}

int main(void)
{
    pthread_t thread;
    block = malloc(sizeof *block);
    pthread_create(&thread, 0, writer, block);
    __VERIFIER_atomic_begin();
    if (is_done) {
        free(block);
        block = 0;
    }
    __VERIFIER_atomic_end();
    pthread_join(thread, 0);
    return 0;
}
