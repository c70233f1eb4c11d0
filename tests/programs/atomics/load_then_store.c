// sley: reach=false race=true deadlock=true memory=true overflow=true
// Two atomic operations are not one: between load and store the other's change is lost.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int word;

void *worker(void *bit)
{
    atomic_store(&word, atomic_load(&word) | *(int *)bit);
    return 0;
}

int main(void)
{
    pthread_t thread;
    int one = 1, two = 2;
    pthread_create(&thread, 0, worker, &one);
    worker(&two);
    pthread_join(thread, 0);
    assert(word == 3);
    return 0;
}
