// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=true
// The spin locks of POSIX.
#include <assert.h>
#include <pthread.h>

pthread_spinlock_t lock;
int counter, missed;

void *worker(void *unused)
{
    pthread_spin_lock(&lock);
    counter++;
    pthread_spin_unlock(&lock);
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
    pthread_create(&thread, 0, worker, 0);
    if (pthread_spin_trylock(&lock) == 0) {
        counter++;
        pthread_spin_unlock(&lock);
    } else {
        missed++;
    }
    pthread_join(thread, 0);
    pthread_spin_destroy(&lock);
    assert(counter + missed == 2);
    return 0;
}
