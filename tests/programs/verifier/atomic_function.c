// sley: reach=true race=true deadlock=true memory=true overflow=true
// A function whose name begins with __VERIFIER_atomic_ is one step.
#include <assert.h>
#include <pthread.h>

int left, right;

void __VERIFIER_atomic_move(void)
{
    left--;
    right++;
}

int __VERIFIER_atomic_sum(void)
{
    return left + right;
}

void *worker(void *unused)
{
    __VERIFIER_atomic_move();
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    __VERIFIER_atomic_move();
    assert(__VERIFIER_atomic_sum() == 0);
    pthread_join(thread, 0);
    assert(left == -2);
    return 0;
}
