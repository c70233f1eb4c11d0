// sley: reach=true race=true deadlock=true memory=true overflow=true
// The only writer stores numbers that it has computed.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int sequence, left, right;

void *writer(void *unused)
{
    for (int i = 1; i <= 2; i++) {
        int next = sequence + 1;
        sequence = next;
        left = i;
        right = i;
        sequence = next + 1;
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
