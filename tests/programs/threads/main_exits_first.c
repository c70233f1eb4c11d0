// sley: reach=false race=true deadlock=true memory=true overflow=true
// `pthread_exit` in main leaves the other threads running, so that their assertions still count.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int is_over;

void *worker(void *unused)
{
    assert(!is_over);
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    is_over = 1;
    pthread_exit(0);
}
