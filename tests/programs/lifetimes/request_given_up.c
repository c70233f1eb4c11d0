// sley: reach=true race=true deadlock=true memory=false overflow=true
// A thread answers a request of a round that did not wait for it, in the next round.
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int *waiting;
static int rounds;

static void *serve(void *unused)
{
    pthread_mutex_lock(&lock);
    int *mine = rounds == 2 ? waiting : 0;
    if (mine)
        *mine = 1;
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void)
{
    pthread_t server;
    pthread_create(&server, 0, serve, 0);
    for (int round = 0; round < 2; round++) {
        int answer = 0;
        pthread_mutex_lock(&lock);
        if (!waiting)
            waiting = &answer;
        rounds++;
        pthread_mutex_unlock(&lock);
        pthread_mutex_lock(&lock);
        pthread_mutex_unlock(&lock);
    }
    pthread_join(server, 0);
    return 0;
}
