// expect: bug
// Two threads write N lines each into a log. The place of the very last line is taken in two steps, so a line is lost.
#include <assert.h>
#include <pthread.h>

#define LINES (2 * N)
int entry[LINES], position;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *writer(void *argument)
{
    int self = (int)(long)argument;
    for (int i = 0; i < N; i++) {
        int place;
        pthread_mutex_lock(&lock);
        place = position;
        if (place < LINES - 2)
            position = place + 1;
        pthread_mutex_unlock(&lock);
        entry[place] = self;
        if (place >= LINES - 2) {
            pthread_mutex_lock(&lock);
            position = place + 1;
            pthread_mutex_unlock(&lock);
        }
    }
    return 0;
}

int main(void)
{
    pthread_t one, other;
    pthread_create(&one, 0, writer, (void *)1L);
    pthread_create(&other, 0, writer, (void *)2L);
    pthread_join(one, 0);
    pthread_join(other, 0);
    assert(position == LINES);
    return 0;
}
