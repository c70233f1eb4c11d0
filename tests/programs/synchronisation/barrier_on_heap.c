// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=true
// Whoever is the serial thread destroys the barrier and frees it, while the others still come out of it.
#include <pthread.h>
#include <stdlib.h>

pthread_barrier_t *gate;

void *worker(void *unused)
{
    if (pthread_barrier_wait(gate) == PTHREAD_BARRIER_SERIAL_THREAD) {
        pthread_barrier_destroy(gate);
        free(gate);
    }
    return 0;
}

int main(void)
{
    pthread_t one, other;
    gate = malloc(sizeof *gate);
    pthread_barrier_init(gate, 0, 3);
    pthread_create(&one, 0, worker, 0);
    pthread_create(&other, 0, worker, 0);
    worker(0);
    pthread_join(one, 0);
    pthread_join(other, 0);
    return 0;
}
