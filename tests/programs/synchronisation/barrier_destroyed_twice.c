// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=false
// A barrier is destroyed twice.
#include <pthread.h>

pthread_barrier_t b;

int main(void)
{
    pthread_barrier_init(&b, 0, 1);
    pthread_barrier_destroy(&b);
    pthread_barrier_destroy(&b);
    return 0;
}
