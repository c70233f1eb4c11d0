// sley: reach=true race=true deadlock=true memory=true overflow=true
// Whoever comes second ends the process before it touches the data: no race.
#include <pthread.h>
#include <stdlib.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

int taken, data;

void *worker(void *unused)
{
    __VERIFIER_atomic_begin();
    if (taken)
        _Exit(0);
    taken = 1;
    __VERIFIER_atomic_end();
    data = data + 1;
    return 0;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, 0, worker, 0);
    pthread_create(&two, 0, worker, 0);
    pthread_exit(0);
}
