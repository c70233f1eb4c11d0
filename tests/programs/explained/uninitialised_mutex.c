// sley: misuse=false
// A counter is allocated with its mutex, and the mutex is never initialised.
// why: `counter#1.lock` has not been initialised .* main allocated
#include <pthread.h>
#include <stdlib.h>

struct counter {
    pthread_mutex_t lock;
    int value;
};

static void *count(void *argument)
{
    struct counter *counter = argument;
    pthread_mutex_lock(&counter->lock);  // decisive
    counter->value++;
    pthread_mutex_unlock(&counter->lock);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    struct counter *counter = malloc(sizeof *counter);  // decisive
    if (!counter)
        return 1;
    counter->value = 0;
    pthread_create(&thread, NULL, count, counter);
    pthread_join(thread, NULL);
    free(counter);
    return 0;
}
