// sley: reach=true race=true deadlock=true memory=true overflow=true
// Under sequential consistency at least one thread sees the other's store.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int x, y;
int seen_x, seen_y;

void *first(void *unused)
{
    x = 1;
    seen_y = y;
    return 0;
}

void *second(void *unused)
{
    y = 1;
    seen_x = x;
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(seen_x == 1 || seen_y == 1);
    return 0;
}
