// sley: reach=true race=true deadlock=true memory=true overflow=true
// An object is guarded by the lock that its address hashes to: safe for every layout.
#include <pthread.h>
#include <stdint.h>

pthread_mutex_t stripes[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
int ready;

void touch(int *p, int value)
{
    unsigned at = ((uintptr_t)p >> 6) % 2;
    pthread_mutex_lock(&stripes[at]);
    pthread_mutex_unlock(&stripes[at]);
}

void *worker(void *unused)
{
    touch(&ready, 1);
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    touch(&ready, 2);
    pthread_join(thread, 0);
    return 0;
}
