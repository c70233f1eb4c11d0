// sley: reach=true race=true deadlock=true memory=true overflow=true
// Operators on atomic objects: each is one step, with the value C prescribes.
#include <assert.h>
#include <pthread.h>

_Atomic int number = 5;
_Atomic unsigned char byte = 255;
_Atomic int shared;

void *worker(void *unused)
{
    shared += 2;
    return 0;
}

int main(void)
{
    pthread_t thread;
    assert(number++ == 5);
    assert(++number == 7);
    assert((number += 3) == 10);
    assert((number *= 2) == 20);
    assert((number -= 4) == 16);
    assert((number >>= 2) == 4);
    assert((number |= 3) == 7);
    assert((number &= 6) == 6);
    assert((number ^= 5) == 3);
    assert(number-- == 3 && number == 2);
    assert(++byte == 0);
    pthread_create(&thread, 0, worker, 0);
    shared -= 1;
    pthread_join(thread, 0);
    assert(shared == 1);
    return 0;
}
