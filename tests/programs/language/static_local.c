// sley: reach=false race=false deadlock=true memory=true overflow=true
// A static local is one variable for all calls of all threads.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int duplicates;
atomic_int given[3];

static int next_number(void)
{
    static int last = 0;
    last++;
    return last;
}

void *worker(void *unused)
{
    if (given[next_number()]++)
        duplicates = 1;
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    worker(0);
    pthread_join(thread, 0);
    assert(!duplicates);
    return 0;
}
