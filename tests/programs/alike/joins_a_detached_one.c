// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=false
// Two threads that never end are alike but for one thing: one is detached, and joining it breaks a rule at once, while main would wait for the other.
#include <pthread.h>
#include <stdatomic.h>

atomic_int begun, stop;

void *waits(void *unused)
{
    while (begun < 2)
        ;
    return 0;
}

void *spins(void *unused)
{
    begun++;
    while (!stop)
        ;
    return 0;
}

int main(void)
{
    pthread_t waiting, one, other;
    pthread_create(&waiting, 0, waits, 0);
    pthread_create(&one, 0, spins, 0);
    pthread_create(&other, 0, spins, 0);
    pthread_detach(other);
    pthread_join(waiting, 0);
    pthread_join(other, 0);
    pthread_join(one, 0);
    return 0;
}
