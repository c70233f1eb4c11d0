// sley: reach=true race=true deadlock=true memory=true overflow=true
// Both threads may allocate, one compare-and-swap wins, the loser frees its block again.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

_Atomic(int *) instance;

static int *get(void)
{
    int *current = instance;
    if (current == NULL) {
        int *mine = malloc(sizeof(int));
        *mine = 42;
        if (atomic_compare_exchange_strong(&instance, &current, mine))
            return mine;
        free(mine);
    }
    return current;
}

void *worker(void *unused)
{
    assert(*get() == 42);
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    worker(0);
    pthread_join(thread, 0);
    free(instance);
    return 0;
}
