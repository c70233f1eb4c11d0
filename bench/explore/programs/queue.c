// A queue of blocks under a lock: some threads append, others wait for what they take and free.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct block {
    struct block *next;
    int number;
};

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t some = PTHREAD_COND_INITIALIZER;
struct block *head, *tail;

void *append(void *unused)
{
    struct block *made = malloc(sizeof *made);
    made->next = 0;
    made->number = 7;
    pthread_mutex_lock(&lock);
    if (tail)
        tail->next = made;
    else
        head = made;
    tail = made;
    pthread_cond_signal(&some);
    pthread_mutex_unlock(&lock);
    return 0;
}

void *take(void *unused)
{
    pthread_mutex_lock(&lock);
    while (!head)
        pthread_cond_wait(&some, &lock);
    struct block *taken = head;
    head = taken->next;
    if (!head)
        tail = 0;
    pthread_mutex_unlock(&lock);
    assert(taken->number == 7);
    free(taken);
    return 0;
}

int main(void)
{
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], 0, i % 2 ? take : append, 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], 0);
    return 0;
}
