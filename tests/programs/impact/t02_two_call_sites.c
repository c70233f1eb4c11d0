// sley: reach=false race=true deadlock=true memory=true overflow=true
// One function, called twice: inside of it, the two calls are different places.
#include <assert.h>
#include <pthread.h>

_Atomic int x, y;

static void touch(void)
{
    x = 1;
}

void *twice(void *unused)
{
    touch();
    touch();
    assert(y == 0);
    return 0;
}

void *other(void *unused)
{
    y = 1;
    return 0;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, 0, twice, 0);
    pthread_create(&two, 0, other, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
