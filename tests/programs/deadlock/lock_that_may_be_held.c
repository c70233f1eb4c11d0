// sley: reach=true race=true deadlock=false memory=true overflow=true
// Which of two mutexes was given back is open; the other one is held while a third one is waited for.
#include <pthread.h>
extern _Bool __VERIFIER_nondet_bool(void);

pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER, c = PTHREAD_MUTEX_INITIALIZER;

void *one(void *unused)
{
    while (1) {
        pthread_mutex_lock(&a);
        pthread_mutex_lock(&c);
        pthread_mutex_t *given = __VERIFIER_nondet_bool() ? &a : &c;
        pthread_mutex_unlock(given);
        pthread_mutex_lock(&b);
        pthread_mutex_unlock(&b);
        pthread_mutex_unlock(given == &a ? &c : &a);
    }
    return 0;
}

void *other(void *unused)
{
    while (1) {
        pthread_mutex_lock(&b);
        pthread_mutex_lock(&a);
        pthread_mutex_unlock(&a);
        pthread_mutex_unlock(&b);
    }
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
