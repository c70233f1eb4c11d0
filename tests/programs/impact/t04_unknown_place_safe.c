// sley: reach=true race=true deadlock=true memory=true overflow=true
// Where the pointer leads is decided while the program runs; it is never `x`.
#include <assert.h>
#include <pthread.h>

extern _Bool __VERIFIER_nondet_bool(void);

_Atomic int x, y, z;
_Atomic int *_Atomic place = &z;

void *reader(void *unused)
{
    assert(x == 0);
    return 0;
}

void *writer(void *unused)
{
    *place = 1;
    return 0;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, 0, reader, 0);
    pthread_create(&two, 0, writer, 0);
    if (__VERIFIER_nondet_bool())
        place = &y;
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
