// sley: reach=true race=true deadlock=false memory=true overflow=true
// A thread ends with a lock on one of two ways, which another one waits for.
#include <pthread.h>

extern _Bool __VERIFIER_nondet_bool(void);
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;

void *one(void *unused)
{
    pthread_mutex_lock(&a);
    if (__VERIFIER_nondet_bool())
        return 0;
    pthread_mutex_unlock(&a);
    return 0;
}

void *other(void *unused)
{
    pthread_mutex_lock(&a);
    pthread_mutex_unlock(&a);
    return 0;
}

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, 0, one, 0);
    pthread_create(&second, 0, other, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    return 0;
}
