// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=true
// Main holds the lock that one thread waits for, but waits for the other one, which spins for ever.
#include <pthread.h>
#include <stdatomic.h>

atomic_int flag;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *worker(void *locks)
{
    if (locks) {
        pthread_mutex_lock(&lock);
        pthread_mutex_unlock(&lock);
    } else {
        while (!atomic_load(&flag))
            ;
    }
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_mutex_lock(&lock);
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, &flag);
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_mutex_unlock(&lock);
    return 0;
}
