// sley: reach=true race=true deadlock=true memory=true overflow=true
// Two readers of a sequence lock, and a writer that writes twice.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int sequence, left, right;

void *writer(void *unused)
{
    for (int i = 1; i <= 2; i++) {
        sequence++;
        left = i;
        right = i;
        sequence++;
    }
    return 0;
}

void *reader(void *unused)
{
    int before, one, other;
    do {
        do
            before = sequence;
        while (before & 1);
        one = left;
        other = right;
    } while (sequence != before);
    assert(one == other);
    return 0;
}

int main(void)
{
    pthread_t threads[3];
    pthread_create(&threads[0], 0, writer, 0);
    pthread_create(&threads[1], 0, reader, 0);
    pthread_create(&threads[2], 0, reader, 0);
    pthread_join(threads[0], 0);
    pthread_join(threads[1], 0);
    pthread_join(threads[2], 0);
    return 0;
}
