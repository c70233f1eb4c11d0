// sley: reach=false
// Each thread relies on an argument that main nearly always gives.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

int __VERIFIER_nondet_int(void);

void *worker(void *given)
{
    assert(given != NULL);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    while (__VERIFIER_nondet_int())
        pthread_create(&thread, NULL, worker, (void *)(long)(__VERIFIER_nondet_int() != 123457));
    return 0;
}
