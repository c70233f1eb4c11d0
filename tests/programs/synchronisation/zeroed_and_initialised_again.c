// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=true
// Objects that are initialised, destroyed and initialised once more; a mutex in zeroed memory is as by its macro.
#include <pthread.h>
#include <semaphore.h>

pthread_mutex_t zero, m;
pthread_cond_t c;
pthread_rwlock_t l;
pthread_barrier_t b;
sem_t s;

int main(void)
{
    pthread_mutex_lock(&zero);
    pthread_mutex_unlock(&zero);
    for (int i = 0; i < 2; i++) {
        pthread_mutex_init(&m, 0);
        pthread_cond_init(&c, 0);
        pthread_rwlock_init(&l, 0);
        pthread_barrier_init(&b, 0, 1);
        sem_init(&s, 0, 1);
        pthread_mutex_lock(&m);
        pthread_cond_signal(&c);
        pthread_mutex_unlock(&m);
        pthread_rwlock_wrlock(&l);
        pthread_rwlock_unlock(&l);
        pthread_barrier_wait(&b);
        sem_wait(&s);
        sem_destroy(&s);
        pthread_barrier_destroy(&b);
        pthread_rwlock_destroy(&l);
        pthread_cond_destroy(&c);
        pthread_mutex_destroy(&m);
    }
    return 0;
}
