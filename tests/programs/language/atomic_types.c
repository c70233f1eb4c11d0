// sley: reach=true race=true deadlock=true memory=true overflow=true
// Operators on `_Atomic` objects are single steps: ++, +=, -=, &=, = and reads.
#include <assert.h>
#include <pthread.h>

_Atomic int counter;
_Atomic(unsigned char) bits = 0xff;
static _Atomic long *remote;

static void *worker(void *unused)
{
    counter++;
    counter += 2;
    bits &= 0xf0;
    (*remote)--;
    return 0;
}

int main(void)
{
    _Atomic long local = 5;
    remote = &local;
    pthread_t threads[2];
    pthread_create(&threads[0], 0, worker, 0);
    pthread_create(&threads[1], 0, worker, 0);
    pthread_join(threads[0], 0);
    pthread_join(threads[1], 0);
    assert(counter == 6 && bits == 0xf0 && local == 3);
    int old = counter--;
    assert(old == 6 && --counter == 4);
    return 0;
}
