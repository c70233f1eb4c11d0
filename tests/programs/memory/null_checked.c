// sley: reach=true race=true deadlock=true memory=true overflow=true
// The pointer is dereferenced only if it has been set, and stays set.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

int value;
_Atomic(int *) pointer;

void *setter(void *unused)
{
    value = 4;
    pointer = &value;
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, setter, 0);
    if (pointer)
        assert(*pointer == 4);
    pthread_join(thread, 0);
    return 0;
}
