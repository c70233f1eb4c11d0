// sley: reach=true race=true deadlock=true memory=true overflow=true
// Three values under a lock stay distinct although every thread permutes them.
#include <assert.h>
#include <pthread.h>

extern _Bool __VERIFIER_nondet_bool(void);
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int a = 1, b = 2, c = 3;

void *worker(void *unused)
{
    pthread_mutex_lock(&lock);
    int kept = a;
    a = b;
    b = c;
    c = kept;
    assert(a != b && b != c && a != c);
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void)
{
    pthread_t thread;
    while (__VERIFIER_nondet_bool())
        pthread_create(&thread, 0, worker, 0);
    return 0;
}
