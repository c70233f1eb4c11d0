// sley: reach=false race=true deadlock=true memory=true overflow=true misuse=true
// Cleanup handlers run in reverse order, not in the order in which they were pushed.
#include <assert.h>
#include <pthread.h>

int latest;

void note(void *number)
{
    latest = *(int *)number;
}

void *worker(void *unused)
{
    int one = 1, two = 2;
    pthread_cleanup_push(note, &one);
    pthread_cleanup_push(note, &two);
    pthread_exit(0);
    pthread_cleanup_pop(0);
    pthread_cleanup_pop(0);
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    pthread_join(thread, 0);
    assert(latest == 2);
    return 0;
}
