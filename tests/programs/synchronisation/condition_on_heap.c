// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=true
// After the broadcast nobody is blocked: who has sent it may destroy and free the condition at once.
#include <pthread.h>
#include <stdlib.h>

struct event {
    pthread_cond_t happened;
};

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
struct event *event;
int is_over;

void *waiter(void *unused)
{
    pthread_mutex_lock(&m);
    while (!is_over)
        pthread_cond_wait(&event->happened, &m);
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void)
{
    pthread_t one;
    event = malloc(sizeof *event);
    pthread_cond_init(&event->happened, 0);
    pthread_create(&one, 0, waiter, 0);
    pthread_mutex_lock(&m);
    is_over = 1;
    pthread_cond_broadcast(&event->happened);
    pthread_cond_destroy(&event->happened);
    free(event);
    pthread_mutex_unlock(&m);
    pthread_join(one, 0);
    return 0;
}
