// sley: reach=true race=true deadlock=true memory=true overflow=true
// Main frees what threads use, after they have ended; it knows until then that it has not.
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *use(void *given)
{
    pthread_mutex_lock(&lock);
    *(int *)given = 1;
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void)
{
    pthread_t one, two;
    int *shared = malloc(sizeof *shared);
    *shared = 0;
    pthread_create(&one, 0, use, shared);
    pthread_create(&two, 0, use, shared);
    pthread_mutex_lock(&lock);
    *shared = 2;
    pthread_mutex_unlock(&lock);
    pthread_join(one, 0);
    pthread_join(two, 0);
    int last = *shared;
    free(shared);
    return last == 7;
}
