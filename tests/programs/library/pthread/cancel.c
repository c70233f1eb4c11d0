// sley: unmodelled=true
// A thread that another one cancels ends somewhere, which has no model.
#include <pthread.h>

void *worker(void *unused)
{
    for (;;)
        pthread_testcancel();
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    pthread_cancel(thread);
    pthread_join(thread, 0);
    return 0;
}
