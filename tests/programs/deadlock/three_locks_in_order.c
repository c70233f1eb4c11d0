// sley: reach=true race=true deadlock=true memory=true overflow=true
// Three mutexes, two by two, always in one order.
#include <pthread.h>

pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER, c = PTHREAD_MUTEX_INITIALIZER;

void *one(void *unused)
{
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    return 0;
}

void *two(void *unused)
{
    pthread_mutex_lock(&b);
    pthread_mutex_lock(&c);
    pthread_mutex_unlock(&c);
    pthread_mutex_unlock(&b);
    return 0;
}

void *three(void *unused)
{
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&c);
    pthread_mutex_unlock(&c);
    pthread_mutex_unlock(&a);
    return 0;
}

int main(void)
{
    pthread_t first, second, third;
    pthread_create(&first, 0, one, 0);
    pthread_create(&second, 0, two, 0);
    pthread_create(&third, 0, three, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    pthread_join(third, 0);
    return 0;
}
