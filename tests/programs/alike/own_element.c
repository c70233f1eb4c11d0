// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=true
// Each of four threads has an element of its own.
#include <assert.h>
#include <pthread.h>

int elements[4];

void *worker(void *number)
{
    long own = (long)number;
    for (int i = 0; i < 2; i++) {
        elements[own] += own;
        assert(elements[own] == (i + 1) * own);
    }
    return 0;
}

int main(void)
{
    pthread_t a, b, c, d;
    pthread_create(&a, 0, worker, (void *)0);
    pthread_create(&b, 0, worker, (void *)1);
    pthread_create(&c, 0, worker, (void *)2);
    pthread_create(&d, 0, worker, (void *)3);
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_join(c, 0);
    pthread_join(d, 0);
    return 0;
}
