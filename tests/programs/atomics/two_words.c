// sley: reach=false race=true deadlock=true memory=true overflow=true
// Two atomic stores are not one: a reader can come in between.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int low, high;

void *writer(void *unused)
{
    low = 1;
    high = 1;
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, writer, 0);
    int a = low;
    int b = high;
    assert(a == b);
    pthread_join(thread, 0);
    return 0;
}
