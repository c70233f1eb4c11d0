// expect: bug
// Workers read the number of the next job and count it on in two steps: two of them do the same job.
#include <assert.h>
#include <pthread.h>

int next, is_done[N], jobs;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *submit(void *unused)
{
    for (int i = 0; i < N; i++) {
        pthread_mutex_lock(&lock);
        jobs = jobs + 1;
        pthread_mutex_unlock(&lock);
    }
    return 0;
}

void *work(void *unused)
{
    for (int i = 0; i < N; i++) {
        int job, is_mine;
        pthread_mutex_lock(&lock);
        job = next;
        is_mine = job < jobs;
        if (is_mine && job < N - 1)
            next = job + 1;
        pthread_mutex_unlock(&lock);
        if (is_mine) {
            pthread_mutex_lock(&lock);
            assert(!is_done[job]);
            is_done[job] = 1;
            if (job == N - 1)
                next = job + 1;
            pthread_mutex_unlock(&lock);
        }
    }
    return 0;
}

int main(void)
{
    pthread_t one, two, three;
    pthread_create(&one, 0, submit, 0);
    pthread_create(&two, 0, work, 0);
    pthread_create(&three, 0, work, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    pthread_join(three, 0);
    return 0;
}
