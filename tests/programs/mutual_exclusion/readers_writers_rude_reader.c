// sley: reach=false race=false deadlock=true memory=true overflow=true
// A reader that enters without looking whether a writer is inside.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int readers;
int left, right;

void *writer(void *unused)
{
    while (readers != 0)
        ;
    left = 1;
    right = 1;
    return 0;
}

void *reader(void *unused)
{
    readers++;
    assert(left == right);
    readers--;
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, writer, 0);
    pthread_create(&b, 0, reader, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
