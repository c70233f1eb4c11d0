// sley: reach=true race=true deadlock=false memory=true overflow=true
// Three philosophers, each takes the left fork first: all may starve with one fork in hand.
#include <pthread.h>

enum { N = 3 };
pthread_mutex_t forks[N];
int meals[N];

void *philosopher(void *seat)
{
    long left = (long)seat, right = (left + 1) % N;
    pthread_mutex_lock(&forks[left]);
    pthread_mutex_lock(&forks[right]);
    meals[left]++;
    pthread_mutex_unlock(&forks[right]);
    pthread_mutex_unlock(&forks[left]);
    return 0;
}

int main(void)
{
    pthread_t threads[N];
    for (long i = 0; i < N; i++)
        pthread_mutex_init(&forks[i], 0);
    for (long i = 0; i < N; i++)
        pthread_create(&threads[i], 0, philosopher, (void *)i);
    for (long i = 0; i < N; i++)
        pthread_join(threads[i], 0);
    return 0;
}
