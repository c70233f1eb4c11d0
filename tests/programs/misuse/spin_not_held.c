// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=false
// A spin lock is released that nobody holds.
#include <pthread.h>

pthread_spinlock_t lock;

int main(void)
{
    pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
    pthread_spin_unlock(&lock);
    pthread_spin_destroy(&lock);
    return 0;
}
