// sley: reach=true race=true deadlock=true memory=true overflow=true
// A sequence lock: the reader tries again when a writer was or is at work.
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
    unsigned before;
    int a, b;
    pthread_create(&thread, 0, writer, 0);
    do {
        before = sequence;
        a = left;
        b = right;
    } while (before % 2 != 0 || before != sequence);
    assert(a == b);
    pthread_join(thread, 0);
    return 0;
}
