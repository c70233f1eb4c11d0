// sley: reach=true race=false deadlock=true memory=true overflow=true
// Whether an atomic section accesses `x` depends on two inputs that have nothing to do with each other.
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

int x;

void *worker(void *argument)
{
    __VERIFIER_atomic_begin();
    int first = __VERIFIER_nondet_int();
    int second = __VERIFIER_nondet_int();
    if (first == 0 && second == 1)
        x = 1;
    __VERIFIER_atomic_end();
    return 0;
}

int main(void)
{
    pthread_t id;
    pthread_create(&id, 0, worker, 0);
    x = 2;
    pthread_join(id, 0);
    return 0;
}
