// sley: reach=true race=true deadlock=false memory=true overflow=true
// Locks in different orders behind sections that may abort: in one order of the sections nobody does.
#include <pthread.h>
#include <stdlib.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;
int started;

void *forward(void *unused)
{
    __VERIFIER_atomic_begin();
    if (started == 1)
        abort();
    started = started + 1;
    __VERIFIER_atomic_end();
    pthread_mutex_lock(&first);
    pthread_mutex_lock(&second);
    pthread_mutex_unlock(&second);
    pthread_mutex_unlock(&first);
    return 0;
}

void *backward(void *unused)
{
    __VERIFIER_atomic_begin();
    started = started + 1;
    __VERIFIER_atomic_end();
    pthread_mutex_lock(&second);
    pthread_mutex_lock(&first);
    pthread_mutex_unlock(&first);
    pthread_mutex_unlock(&second);
    return 0;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, 0, forward, 0);
    pthread_create(&two, 0, backward, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
