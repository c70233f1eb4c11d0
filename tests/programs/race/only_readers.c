// sley: reach=true race=true deadlock=true memory=true overflow=true
// What nobody writes any more, all may read; creation and join order the rest.
#include <assert.h>
#include <pthread.h>

int input, doubled, squared;

void *twice(void *unused)
{
    doubled = 2 * input;
    return 0;
}

void *square(void *unused)
{
    squared = input * input;
    return 0;
}

int main(void)
{
    pthread_t a, b;
    input = 3;
    pthread_create(&a, 0, twice, 0);
    pthread_create(&b, 0, square, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(doubled == 6 && squared == 9);
    return 0;
}
