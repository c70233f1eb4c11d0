// sley: reach=true race=true deadlock=false memory=true overflow=true
// Each thread takes both mutexes, and chooses which one is first.
#include <pthread.h>
extern _Bool __VERIFIER_nondet_bool(void);

pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

void *worker(void *unused)
{
    pthread_mutex_t *first = __VERIFIER_nondet_bool() ? &a : &b;
    pthread_mutex_lock(first);
    pthread_mutex_lock(first == &a ? &b : &a);
    pthread_mutex_unlock(first == &a ? &b : &a);
    pthread_mutex_unlock(first);
    return 0;
}

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, 0, worker, 0);
    pthread_create(&second, 0, worker, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    return 0;
}
