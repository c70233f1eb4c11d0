// sley: reach=true race=true deadlock=true memory=true overflow=true
// `pthread_exit` ends the thread from inside a function, with a value.
#include <assert.h>
#include <pthread.h>

static void leave_if_positive(long number)
{
    if (number > 0)
        pthread_exit((void *)number);
}

void *worker(void *number)
{
    leave_if_positive((long)number);
    return (void *)-1L;
}

int main(void)
{
    pthread_t a, b;
    void *first, *second;
    pthread_create(&a, 0, worker, (void *)5L);
    pthread_create(&b, 0, worker, (void *)0L);
    pthread_join(a, &first);
    pthread_join(b, &second);
    assert((long)first == 5 && (long)second == -1);
    return 0;
}
