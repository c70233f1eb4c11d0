// sley: reach=true race=false deadlock=true memory=false overflow=true
// The read is in an atomic section, the free is not.
#include <pthread.h>
#include <stdlib.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

int seen;

void *reader(void *block)
{
    __VERIFIER_atomic_begin();
    int value = *(int *)block;
    if (value)
        seen = value;
    __VERIFIER_atomic_end();
    return 0;
}

int main(void)
{
    pthread_t thread;
    int *block = calloc(1, sizeof *block);
    pthread_create(&thread, 0, reader, block);
    free(block);
    pthread_join(thread, 0);
    return 0;
}
