// sley: reach=true race=true deadlock=true memory=true overflow=true
// A structure that is set with release and seen with acquire.
#include <pthread.h>
#include <stdatomic.h>

struct pair {
    int one, two;
};

_Atomic struct pair shared;
int data;

void *sender(void *unused)
{
    struct pair new = {1, 2};
    data = 1;
    atomic_store_explicit(&shared, new, memory_order_release);
    return 0;
}

int main(void)
{
    pthread_t thread;
    int seen = 1;
    pthread_create(&thread, 0, sender, 0);
    struct pair found = atomic_load_explicit(&shared, memory_order_acquire);
    if (found.two)
        seen = data;
    pthread_join(thread, 0);
    return seen;
}
