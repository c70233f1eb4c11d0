// As many accounts as threads, each with its lock; thread i moves money from account i to the next one: THREADS.
#include <assert.h>
#include <pthread.h>

#define START 100
int balance[THREADS];
pthread_mutex_t lock[THREADS];

void *transfer(void *argument)
{
    int from = (int)(long)argument, to = (from + 1) % THREADS, amount = 10 + from;
    int low = from < to ? from : to, high = from < to ? to : from;
    pthread_mutex_lock(&lock[low]);
    pthread_mutex_lock(&lock[high]);
    if (balance[from] >= amount) {
        balance[from] = balance[from] - amount;
        balance[to] = balance[to] + amount;
    }
    pthread_mutex_unlock(&lock[high]);
    pthread_mutex_unlock(&lock[low]);
    return 0;
}

int main(void)
{
    pthread_t thread[THREADS];
    int sum = 0;
    for (int i = 0; i < THREADS; i++) {
        balance[i] = START;
        pthread_mutex_init(&lock[i], 0);
    }
    for (long i = 0; i < THREADS; i++)
        pthread_create(&thread[i], 0, transfer, (void *)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(thread[i], 0);
    for (int i = 0; i < THREADS; i++)
        sum = sum + balance[i];
    assert(sum == THREADS * START);
    return 0;
}
