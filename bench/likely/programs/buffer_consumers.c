// expect: bug
// Two consumers see the last item and take it both: the second one gets what was never sent.
#include <assert.h>
#include <pthread.h>

int items[N + 2], sent, taken;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *producer(void *unused)
{
    for (int i = 0; i < N; i++) {
        pthread_mutex_lock(&lock);
        items[sent] = i + 1;
        sent = sent + 1;
        pthread_mutex_unlock(&lock);
    }
    return 0;
}

void *consumer(void *unused)
{
    for (int i = 0; i < N; i++) {
        int is_there;
        pthread_mutex_lock(&lock);
        is_there = taken < sent;
        pthread_mutex_unlock(&lock);
        if (is_there) {
            pthread_mutex_lock(&lock);
            assert(items[taken] == taken + 1);
            taken = taken + 1;
            pthread_mutex_unlock(&lock);
        }
    }
    return 0;
}

int main(void)
{
    pthread_t one, two, three;
    pthread_create(&one, 0, producer, 0);
    pthread_create(&two, 0, consumer, 0);
    pthread_create(&three, 0, consumer, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    pthread_join(three, 0);
    return 0;
}
