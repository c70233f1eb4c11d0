// sley: reach=true race=true deadlock=true memory=true overflow=true
// No input and no order brings the counter to three.
#include <pthread.h>
#include <stdatomic.h>

extern _Bool __VERIFIER_nondet_bool(void);
void reach_error(void) {}

atomic_int agreed;

void *worker(void *unused)
{
    if (__VERIFIER_nondet_bool())
        agreed++;
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    worker(0);
    pthread_join(thread, 0);
    if (agreed == 3)
        reach_error();
    return 0;
}
