// sley: reach=true race=true deadlock=true memory=true overflow=true
// A thread ends with a lock that nobody else takes.
#include <pthread.h>

pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

void *one(void *unused)
{
    pthread_mutex_lock(&a);
    return 0;
}

void *other(void *unused)
{
    pthread_mutex_lock(&b);
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
