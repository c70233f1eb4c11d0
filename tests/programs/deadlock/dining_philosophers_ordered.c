// sley: reach=true race=true deadlock=true memory=true overflow=true
// Each philosopher takes the fork with the lower number first: nobody starves.
#include <assert.h>
#include <pthread.h>

enum { N = 3 };
pthread_mutex_t forks[N];
int meals[N];

void *philosopher(void *seat)
{
    long left = (long)seat, right = (left + 1) % N;
    long low = left < right ? left : right;
    long high = left < right ? right : left;
    pthread_mutex_lock(&forks[low]);
    pthread_mutex_lock(&forks[high]);
    meals[left]++;
    pthread_mutex_unlock(&forks[high]);
    pthread_mutex_unlock(&forks[low]);
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
    assert(meals[0] == 1 && meals[1] == 1 && meals[2] == 1);
    return 0;
}
