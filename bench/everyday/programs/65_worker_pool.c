// sley: reach=true race=true deadlock=true memory=true overflow=true
// Two workers take jobs from a queue until it is closed.
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

enum { JOBS = 3 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int queue[JOBS], head, tail, sum;
static bool closed;

static void *worker(void *arg)
{
    (void)arg;
    for (;;) {
        pthread_mutex_lock(&lock);
        while (head == tail && !closed)
            pthread_cond_wait(&changed, &lock);
        if (head == tail) {
            pthread_mutex_unlock(&lock);
            return NULL;
        }
        int job = queue[head++];
        pthread_mutex_unlock(&lock);
        int result = job * job;
        pthread_mutex_lock(&lock);
        sum += result;
        pthread_mutex_unlock(&lock);
    }
}

int main(void)
{
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, worker, NULL);
    for (int i = 1; i <= JOBS; i++) {
        pthread_mutex_lock(&lock);
        queue[tail++] = i;
        pthread_cond_signal(&changed);
        pthread_mutex_unlock(&lock);
    }
    pthread_mutex_lock(&lock);
    closed = true;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert(sum == 14);
    return 0;
}
