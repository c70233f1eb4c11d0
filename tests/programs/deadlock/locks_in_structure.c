// sley: reach=true race=true deadlock=true memory=true overflow=true
// Two mutexes of one structure in the heap, reached by a pointer and always in one order.
#include <pthread.h>
#include <stdlib.h>

struct pair {
    pthread_mutex_t one, two;
    int sum;
};

static void add(struct pair *p)
{
    pthread_mutex_lock(&p->one);
    pthread_mutex_lock(&p->two);
    p->sum++;
    pthread_mutex_unlock(&p->two);
    pthread_mutex_unlock(&p->one);
}

static void clear(struct pair *p)
{
    pthread_mutex_lock(&p->one);
    pthread_mutex_lock(&p->two);
    p->sum = 0;
    pthread_mutex_unlock(&p->two);
    pthread_mutex_unlock(&p->one);
}

void *adds(void *given)
{
    add(given);
    return 0;
}

void *clears(void *given)
{
    clear(given);
    return 0;
}

int main(void)
{
    pthread_t first, second;
    struct pair *p = malloc(sizeof *p);
    pthread_mutex_init(&p->one, 0);
    pthread_mutex_init(&p->two, 0);
    p->sum = 0;
    add(p);
    pthread_create(&first, 0, adds, p);
    pthread_create(&second, 0, clears, p);
    pthread_join(first, 0);
    pthread_join(second, 0);
    free(p);
    return 0;
}
