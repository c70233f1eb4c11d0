// sley: reach=true race=true deadlock=false memory=true overflow=true
// Only one of the threads takes the gate: it guards nothing.
#include <pthread.h>

pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER, a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

void *one(void *unused)
{
    pthread_mutex_lock(&gate);
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&gate);
    return 0;
}

void *other(void *unused)
{
    pthread_mutex_lock(&b);
    pthread_mutex_lock(&a);
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
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
