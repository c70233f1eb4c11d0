// sley: reach=false race=false deadlock=true memory=true overflow=true
// The flag is raised before the data is there.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int ready;
int data;

void *producer(void *unused)
{
    ready = 1;
    data = 42;
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, producer, 0);
    while (!ready)
        ;
    assert(data == 42);
    pthread_join(thread, 0);
    return 0;
}
