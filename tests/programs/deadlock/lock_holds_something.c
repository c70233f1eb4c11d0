// sley: reach=true race=true deadlock=false memory=true overflow=true
// The memory of a spin lock holds something else than a thread from the beginning.
#include <pthread.h>

pthread_spinlock_t lock = 7;

void *worker(void *unused)
{
    pthread_spin_lock(&lock);
    pthread_spin_unlock(&lock);
    return 0;
}

int main(void)
{
    pthread_t id;
    pthread_create(&id, 0, worker, 0);
    pthread_join(id, 0);
    return 0;
}
