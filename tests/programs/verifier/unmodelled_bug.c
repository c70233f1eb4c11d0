// sley: reach=false
// The bug does not depend on what the unknown function returns.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

extern void mystery(void);
atomic_int counter;

void *worker(void *unused)
{
    counter = 1;
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    assert(counter == 0);
    mystery();
    return 0;
}
