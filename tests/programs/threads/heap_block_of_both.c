// sley: reach=false race=true deadlock=true memory=true overflow=true
// A heap block that main made is changed by two threads.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

atomic_int *block;

void *worker(void *unused) {
    int seen = *block;
    *block = seen + 1;
    return 0;
}

int main(void) {
    block = malloc(sizeof(atomic_int));
    if (block == 0)
        return 0;
    *block = 0;
    pthread_t one, two;
    pthread_create(&one, 0, worker, 0);
    pthread_create(&two, 0, worker, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    assert(*block == 2);
    free(block);
}
