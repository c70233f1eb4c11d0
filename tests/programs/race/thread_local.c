// sley: reach=true race=true deadlock=true memory=true overflow=true
// Every thread has its own copy of a thread-local variable, starting from the initialiser.
#include <assert.h>
#include <pthread.h>

__thread int mine = 5;

void *worker(void *unused)
{
    mine++;
    assert(mine == 6);
    return 0;
}

int main(void)
{
    pthread_t thread;
    mine = 7;
    pthread_create(&thread, 0, worker, 0);
    mine++;
    pthread_join(thread, 0);
    assert(mine == 8);
    return 0;
}
