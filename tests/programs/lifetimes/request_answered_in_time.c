// sley: reach=true race=true deadlock=true memory=true overflow=true
// A thread answers requests that live for one round; each round waits for its answer.
#include <assert.h>
#include <pthread.h>

struct request {
    int question, answer;
    int is_done;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static struct request *waiting;

static void *serve(void *unused)
{
    for (int served = 0; served < 2; served++) {
        pthread_mutex_lock(&lock);
        while (!waiting)
            pthread_cond_wait(&changed, &lock);
        waiting->answer = waiting->question + 1;
        waiting->is_done = 1;
        waiting = 0;
        pthread_cond_broadcast(&changed);
        pthread_mutex_unlock(&lock);
    }
    return 0;
}

int main(void)
{
    pthread_t server;
    pthread_create(&server, 0, serve, 0);
    for (int round = 0; round < 2; round++) {
        struct request mine = {round, 0, 0};
        pthread_mutex_lock(&lock);
        waiting = &mine;
        pthread_cond_broadcast(&changed);
        while (!mine.is_done)
            pthread_cond_wait(&changed, &lock);
        pthread_mutex_unlock(&lock);
        assert(mine.answer == round + 1);
    }
    pthread_join(server, 0);
    return 0;
}
