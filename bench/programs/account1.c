// One account, one lock; every other thread deposits, the others withdraw, each another amount: THREADS.
#include <assert.h>
#include <pthread.h>

#define START 1000
int balance = START;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *deposit(void *argument)
{
    pthread_mutex_lock(&lock);
    balance = balance + 10 + (int)(long)argument;
    pthread_mutex_unlock(&lock);
    return 0;
}

void *withdraw(void *argument)
{
    int amount = 10 + (int)(long)argument;
    pthread_mutex_lock(&lock);
    if (balance >= amount)
        balance = balance - amount;
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void)
{
    pthread_t thread[THREADS];
    int expected = START;
    for (long i = 0; i < THREADS; i++) {
        if (i % 2 == 0) {
            pthread_create(&thread[i], 0, deposit, (void *)i);
            expected = expected + 10 + (int)i;
        } else {
            pthread_create(&thread[i], 0, withdraw, (void *)i);
            expected = expected - 10 - (int)i;
        }
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(thread[i], 0);
    assert(balance == expected);
    return 0;
}
