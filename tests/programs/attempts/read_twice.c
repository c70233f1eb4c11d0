// sley: reach=false race=true deadlock=true memory=true overflow=true
// The number changes too late for a reader that reads twice.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int sequence, value;

void *writer(void *unused)
{
    value = 1;
    sequence++;
    return 0;
}

void *reader(void *unused)
{
    int before, one, other;
    do {
        before = sequence;
        one = value;
        other = value;
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
    return 0;
}
