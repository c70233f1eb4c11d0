// expect: bug
// Writers have priority; the last of N writes of a writer forgets to look for readers.
#include <assert.h>
#include <pthread.h>

int readers, writing, waiting, first, second;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *writer(void *unused)
{
    for (int i = 0; i < N; i++) {
        int may;
        pthread_mutex_lock(&lock);
        waiting = 1;
        may = !writing && (readers == 0 || i == N - 1);
        if (may) {
            writing = 1;
            waiting = 0;
        }
        pthread_mutex_unlock(&lock);
        if (may) {
            first = first + 1;
            second = second + 1;
            pthread_mutex_lock(&lock);
            writing = 0;
            pthread_mutex_unlock(&lock);
        }
    }
    return 0;
}

void *reader(void *unused)
{
    for (int i = 0; i < N; i++) {
        int may;
        pthread_mutex_lock(&lock);
        may = !writing && !waiting;
        if (may)
            readers = readers + 1;
        pthread_mutex_unlock(&lock);
        if (may) {
            int one = first, two = second;
            assert(one == two);
            pthread_mutex_lock(&lock);
            readers = readers - 1;
            pthread_mutex_unlock(&lock);
        }
    }
    return 0;
}

int main(void)
{
    pthread_t one, two, three;
    pthread_create(&one, 0, writer, 0);
    pthread_create(&two, 0, reader, 0);
    pthread_create(&three, 0, reader, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    pthread_join(three, 0);
    return 0;
}
