// sley: reach=false race=true deadlock=true memory=true overflow=true
// The allocator may hand out a freed address again: a swap that compares addresses cannot tell.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

_Atomic(int *) current;
atomic_int version = 1;

void *replace(void *unused)
{
    int *old = atomic_exchange(&current, NULL);
    free(old);
    version = 2;
    current = malloc(sizeof(int));
    return 0;
}

int main(void)
{
    pthread_t thread;
    current = malloc(sizeof(int));
    pthread_create(&thread, 0, replace, 0);
    int *seen = current;
    int seen_version = version;
    pthread_join(thread, 0);
    if (seen_version == 1 && seen != NULL)
        assert(!atomic_compare_exchange_strong(&current, &seen, current));
    free(current);
    return 0;
}
