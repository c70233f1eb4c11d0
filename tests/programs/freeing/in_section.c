// sley: reach=true race=false deadlock=true memory=false overflow=true
// An atomic section does not help if the other access is outside of one.
#include <pthread.h>
#include <stdlib.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

int *block;

void *writer(void *mine)
{
    *(int *)mine = 1;
    return 0;
}

int main(void)
{
    pthread_t thread;
    block = malloc(sizeof *block);
    pthread_create(&thread, 0, writer, block);
    __VERIFIER_atomic_begin();
    free(block);
    block = 0;
    __VERIFIER_atomic_end();
    pthread_join(thread, 0);
    return 0;
}
