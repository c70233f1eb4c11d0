// sley: reach=true race=true deadlock=true memory=true overflow=true
// A buffer of two places with two semaphores, forever: one writes where the other does not read.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

#define SIZE 2

sem_t places, values;
int buffer[SIZE];

void *thread_one(void *unused)
{
    int next = 0, at = 0;
    while (1) {
        sem_wait(&places);
        buffer[at] = next;
        sem_post(&values);
        at = (at + 1) % SIZE;
        next = (next + 1) % 3;
    }
    return 0;
}

void *thread_two(void *unused)
{
    int expected = 0, at = 0;
    while (1) {
        sem_wait(&values);
        assert(buffer[at] == expected);
        sem_post(&places);
        at = (at + 1) % SIZE;
        expected = (expected + 1) % 3;
    }
    return 0;
}

int main(void)
{
    pthread_t one, two;
    sem_init(&places, 0, SIZE);
    sem_init(&values, 0, 0);
    pthread_create(&one, 0, thread_one, 0);
    pthread_create(&two, 0, thread_two, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
