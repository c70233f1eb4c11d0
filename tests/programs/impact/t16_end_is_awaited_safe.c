// sley: reach=true race=true deadlock=true memory=true overflow=true
// What a thread does last is followed by its end, and both by a join of a smaller thread.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

_Atomic int x, y;

void *waits(void *given)
{
    pthread_join(*(pthread_t *)given, 0);
    assert(x + y < 3);
    return 0;
}

void *ends(void *unused)
{
    y = 1;
    return 0;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&two, 0, ends, 0);
    pthread_create(&one, 0, waits, &two);
    x = 1;
    pthread_join(one, 0);
    return 0;
}
