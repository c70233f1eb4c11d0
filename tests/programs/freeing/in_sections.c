// sley: reach=true race=true deadlock=true memory=true overflow=true
// The block is used and freed in atomic sections that ask whether it is still there.
#include <pthread.h>
#include <stdlib.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

int *block;

void *writer(void *unused)
{
    __VERIFIER_atomic_begin();
    if (block)
        *block = 1;
    __VERIFIER_atomic_end();
    return 0;
}

int main(void)
{
    pthread_t thread;
    block = malloc(sizeof *block);
    pthread_create(&thread, 0, writer, 0);
    __VERIFIER_atomic_begin();
    free(block);
    block = 0;
    __VERIFIER_atomic_end();
    pthread_join(thread, 0);
    return 0;
}
