// sley: reach=false race=true deadlock=true memory=true overflow=true
// `reach_error` can be called only if both inputs agree.
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
    if (__VERIFIER_nondet_bool())
        agreed++;
    pthread_join(thread, 0);
    if (agreed == 2)
        reach_error();
    return 0;
}
