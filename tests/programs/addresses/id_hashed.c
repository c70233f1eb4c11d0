// sley: reach=true race=true deadlock=true memory=true overflow=true
// A slot chosen by the id of a thread, whatever that is: the slot exists and is guarded.
#include <assert.h>
#include <pthread.h>

int counts[4];
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *worker(void *unused)
{
    unsigned slot = (unsigned long)pthread_self() % 4;
    pthread_mutex_lock(&lock);
    counts[slot]++;
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(counts[0] + counts[1] + counts[2] + counts[3] == 2);
    return 0;
}
