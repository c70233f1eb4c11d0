// sley: reach=true race=true deadlock=true memory=true overflow=true
// Main holds the mutex while it creates who waits for it, but not while it joins.
#include <pthread.h>

pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;

void *one(void *unused)
{
    pthread_mutex_lock(&a);
    pthread_mutex_unlock(&a);
    return 0;
}

void *other(void *unused)
{
    pthread_mutex_lock(&a);
    pthread_mutex_unlock(&a);
    return 0;
}

int main(void)
{
    pthread_t first, second;
    pthread_mutex_lock(&a);
    pthread_create(&first, 0, one, 0);
    pthread_create(&second, 0, other, 0);
    pthread_mutex_unlock(&a);
    pthread_join(first, 0);
    pthread_join(second, 0);
    return 0;
}
