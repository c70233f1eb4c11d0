// sley: reach=true race=true deadlock=false memory=true overflow=true
// Main holds what a thread needs that is joined by the one that main joins.
#include <pthread.h>

pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;

void *inner(void *unused)
{
    pthread_mutex_lock(&a);
    pthread_mutex_unlock(&a);
    return 0;
}

void *outer(void *unused)
{
    pthread_t id;
    pthread_create(&id, 0, inner, 0);
    pthread_join(id, 0);
    return 0;
}

int main(void)
{
    pthread_t id;
    pthread_create(&id, 0, outer, 0);
    pthread_mutex_lock(&a);
    pthread_join(id, 0);
    pthread_mutex_unlock(&a);
    return 0;
}
