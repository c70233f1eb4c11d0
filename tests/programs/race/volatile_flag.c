// sley: reach=true race=false deadlock=true memory=true overflow=true
// Volatile is not atomic: the hand-over works under sequential consistency but races.
#include <assert.h>
#include <pthread.h>

volatile int ready;
int data;

void *producer(void *unused)
{
    data = 42;
    ready = 1;
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
