// sley: reach=true race=true deadlock=false memory=true overflow=true
// Of the thread that takes mutexes in both orders there are two.
#include <pthread.h>
extern _Bool __VERIFIER_nondet_bool(void);

pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

void *worker(void *unused)
{
    if (__VERIFIER_nondet_bool()) {
        pthread_mutex_lock(&a);
        pthread_mutex_lock(&b);
    } else {
        pthread_mutex_lock(&b);
        pthread_mutex_lock(&a);
    }
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    return 0;
}

int main(void)
{
    pthread_t id;
    for (int i = 0; i < 2; i++)
        pthread_create(&id, 0, worker, 0);
    pthread_exit(0);
    return 0;
}
