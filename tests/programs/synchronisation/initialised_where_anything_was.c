// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=true
// A block from malloc and the stack may hold anything: to initialise what lies there is not to initialise it twice.
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

struct room {
    pthread_mutex_t m;
    pthread_cond_t c;
    pthread_rwlock_t l;
    pthread_barrier_t b;
    sem_t s;
};

void use(struct room *room)
{
    pthread_mutex_init(&room->m, 0);
    pthread_cond_init(&room->c, 0);
    pthread_rwlock_init(&room->l, 0);
    pthread_barrier_init(&room->b, 0, 1);
    sem_init(&room->s, 0, 1);
    pthread_mutex_lock(&room->m);
    pthread_cond_broadcast(&room->c);
    pthread_mutex_unlock(&room->m);
    pthread_rwlock_rdlock(&room->l);
    pthread_rwlock_unlock(&room->l);
    pthread_barrier_wait(&room->b);
    sem_wait(&room->s);
}

int main(void)
{
    struct room local, *block = malloc(sizeof *block);
    use(&local);
    use(block);
    free(block);
    return 0;
}
