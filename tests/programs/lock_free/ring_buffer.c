// sley: reach=true race=true deadlock=true memory=true overflow=true
// One producer and one consumer around a ring: two atomic counters make the plain places safe.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { PLACES = 2, ITEMS = 3 };
int places[PLACES];
atomic_uint written, read_so_far;

void *producer(void *unused)
{
    for (unsigned i = 0; i < ITEMS; i++) {
        while (i - read_so_far == PLACES)
            ;
        places[i % PLACES] = 10 + i;
        written = i + 1;
    }
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, producer, 0);
    for (unsigned i = 0; i < ITEMS; i++) {
        while (written == i)
            ;
        assert(places[i % PLACES] == (int)(10 + i));
        read_so_far = i + 1;
    }
    pthread_join(thread, 0);
    return 0;
}
