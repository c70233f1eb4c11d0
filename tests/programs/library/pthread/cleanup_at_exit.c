// sley: unmodelled=true
// pthread_exit runs the cleanup handlers, which has no model.
#include <pthread.h>

int count;

void handler(void *unused)
{
    count++;
}

void *worker(void *unused)
{
    pthread_cleanup_push(handler, 0);
    pthread_exit(0);
    pthread_cleanup_pop(0);
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    pthread_join(thread, 0);
    return 0;
}
