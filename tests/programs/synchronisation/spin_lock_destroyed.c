// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=false
// A spin lock is used after it was destroyed.
#include <pthread.h>

pthread_spinlock_t l;

int main(void)
{
    pthread_spin_init(&l, 0);
    pthread_spin_destroy(&l);
    pthread_spin_lock(&l);
    return 0;
}
