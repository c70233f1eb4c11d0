// sley: reach=true race=true deadlock=true memory=false overflow=true
// A reader follows a pointer before it knows that it is good.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int sequence;
atomic_int value = 1;
atomic_int *_Atomic place = &value;

void *writer(void *unused)
{
    sequence++;
    place = 0;
    place = &value;
    sequence++;
    return 0;
}

void *reader(void *unused)
{
    int before, found;
    do {
        do
            before = sequence;
        while (before & 1);
        found = *place;
    } while (sequence != before);
    assert(found == 1);
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
