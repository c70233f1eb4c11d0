// sley: reach=true race=true deadlock=true memory=true overflow=true
// Arguments go to threads by value in the pointer, results come back through join.
#include <assert.h>
#include <pthread.h>

void *square(void *number)
{
    long n = (long)number;
    return (void *)(n * n);
}

int main(void)
{
    pthread_t a, b;
    void *first, *second;
    pthread_create(&a, 0, square, (void *)3L);
    pthread_create(&b, 0, square, (void *)-4L);
    pthread_join(b, &second);
    pthread_join(a, &first);
    assert((long)first == 9 && (long)second == 16);
    return 0;
}
