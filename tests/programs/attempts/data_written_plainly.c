// sley: reach=true race=false deadlock=true memory=true overflow=true
// Data is read atomically, but not written so: who reads in vain races with the writer.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int sequence, writes;
int left, right;

void *writer(void *unused)
{
    sequence++;
    writes++;
    left = 1;
    right = 1;
    sequence++;
    return 0;
}

void *reader(void *unused)
{
    int before, one, other;
    do {
        do
            before = sequence;
        while (before & 1);
        one = __atomic_load_n(&left, __ATOMIC_SEQ_CST);
        other = __atomic_load_n(&right, __ATOMIC_SEQ_CST);
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
