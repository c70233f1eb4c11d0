// sley: reach=true race=true deadlock=true memory=true overflow=true
// Every thread has its own `__thread` and `_Thread_local` variables, initialised anew; others see them through pointers.
#include <assert.h>
#include <pthread.h>

__thread int counter = 5;
static _Thread_local int *own = 0;
int total;

static int *slot(void)
{
    static __thread int inner = 1;
    inner++;
    return &inner;
}

static void *worker(void *argument)
{
    own = &counter;
    counter += *(int *)argument;
    assert(*own == 7 && *slot() == 2 && *slot() == 3);
    return 0;
}

int main(void)
{
    int amount = 2;
    pthread_t threads[2];
    counter = 1;
    pthread_create(&threads[0], 0, worker, &amount);
    pthread_create(&threads[1], 0, worker, &amount);
    pthread_join(threads[0], 0);
    pthread_join(threads[1], 0);
    assert(counter == 1 && own == 0 && *slot() == 2);
    return 0;
}
