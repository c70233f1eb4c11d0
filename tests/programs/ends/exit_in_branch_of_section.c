// sley: reach=false race=true deadlock=true memory=true overflow=true
// `exit` in a nested branch of a section: the failure of the other thread comes without it.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

int phase, steps;

void *mover(void *unused)
{
    __VERIFIER_atomic_begin();
    if (phase == 0)
        phase = 1;
    else if (steps > 0)
        exit(3);
    else
        phase = 2;
    __VERIFIER_atomic_end();
    return 0;
}

void *counter(void *unused)
{
    __VERIFIER_atomic_begin();
    steps = steps + 1;
    __VERIFIER_atomic_end();
    return 0;
}

int main(void)
{
    pthread_t one, two, three;
    pthread_create(&one, 0, mover, 0);
    pthread_create(&two, 0, mover, 0);
    pthread_create(&three, 0, counter, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    pthread_join(three, 0);
    assert(phase != 2);
    return 0;
}
