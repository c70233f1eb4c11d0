// sley: reach=true race=false deadlock=true memory=true overflow=true
// Neighbours in one word under different mutexes; with clocks, later events of a thread may share the moment.
#include <pthread.h>

struct {
    unsigned one : 4;
    unsigned other : 4;
} word;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;

void *first(void *unused)
{
    pthread_mutex_lock(&m);
    word.one = 1;
    pthread_mutex_unlock(&m);
    return 0;
}

void *second(void *unused)
{
    pthread_mutex_lock(&n);
    word.other = 1;
    pthread_mutex_unlock(&n);
    return 0;
}

int main(void)
{
    pthread_t one, other;
    pthread_create(&one, 0, first, 0);
    pthread_create(&other, 0, second, 0);
    pthread_join(one, 0);
    pthread_join(other, 0);
    return 0;
}
