// sley: reach=false race=true deadlock=true memory=true overflow=true
// A reader that has to try again says so.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int sequence, left, right;
atomic_int failures;

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
        if (one != other)
            failures = 1;
    } while (sequence != before);
    assert(one == other);
    return 0;
}

int main(void)
{
    pthread_t threads[2];
    pthread_create(&threads[0], 0, writer, 0);
    pthread_create(&threads[1], 0, reader, 0);
    pthread_join(threads[0], 0);
    pthread_join(threads[1], 0);
    assert(failures == 0);
    return 0;
}
