// sley: reach=false race=true deadlock=true memory=true overflow=true misuse=true
// Each of two threads begins with an element of its own, and goes on to the other one's; any may be the first.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int elements[2];

void *worker(void *number)
{
    long own = (long)number;
    for (int i = 0; i < 2; i++)
        elements[own ^ i] = own;
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, worker, (void *)0);
    pthread_create(&b, 0, worker, (void *)1);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(elements[1] == 0);
    return 0;
}
