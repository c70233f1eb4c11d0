// sley: reach=false race=true deadlock=true memory=true overflow=true
// A sequence lock whose reader does not look again at the end.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_uint sequence;
atomic_int left, right;

void *writer(void *unused)
{
    sequence++;
    left = 1;
    right = 1;
    sequence++;
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, writer, 0);
    while (sequence % 2 != 0)
        ;
    int a = left;
    int b = right;
    assert(a == b);
    pthread_join(thread, 0);
    return 0;
}
