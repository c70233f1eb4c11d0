// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=true
// A buffer with one place, a producer and a consumer, a condition for each.
#include <assert.h>
#include <pthread.h>

enum { ITEMS = 2 };
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t not_empty = PTHREAD_COND_INITIALIZER;
pthread_cond_t not_full = PTHREAD_COND_INITIALIZER;
int is_full, place;

void *producer(void *unused)
{
    for (int i = 1; i <= ITEMS; i++) {
        pthread_mutex_lock(&lock);
        while (is_full)
            pthread_cond_wait(&not_full, &lock);
        place = i;
        is_full = 1;
        pthread_cond_signal(&not_empty);
        pthread_mutex_unlock(&lock);
    }
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, producer, 0);
    for (int i = 1; i <= ITEMS; i++) {
        pthread_mutex_lock(&lock);
        while (!is_full)
            pthread_cond_wait(&not_empty, &lock);
        assert(place == i);
        is_full = 0;
        pthread_cond_signal(&not_full);
        pthread_mutex_unlock(&lock);
    }
    pthread_join(thread, 0);
    return 0;
}
