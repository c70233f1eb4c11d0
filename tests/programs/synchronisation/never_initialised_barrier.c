// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=false
// Nothing but pthread_barrier_init initialises a barrier.
#include <pthread.h>

pthread_barrier_t b;

int main(void)
{
    pthread_barrier_wait(&b);
    return 0;
}
