// sley: reach=false race=true deadlock=true memory=true overflow=true
// Counts a thread after it was created, which may have started.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

extern _Bool __VERIFIER_nondet_bool(void);
extern int __VERIFIER_nondet_int(void);

_Atomic int created, started;

void *worker(void *unused)
{
    atomic_fetch_add(&started, 1);
    assert(started <= created);
    return 0;
}

int main(void)
{
    pthread_t thread;
    int n = __VERIFIER_nondet_int();
    for (int i = 0; i < n; i++) {
        pthread_create(&thread, 0, worker, 0);
        created = created + 1;
    }
    return 0;
}
