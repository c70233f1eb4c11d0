// sley: reach=true race=true deadlock=true memory=true overflow=true
// Two threads run the same function: a thread sees its own number or that of the other.
#include <assert.h>
#include <pthread.h>

_Atomic int x;

void *worker(void *argument)
{
    int mine = *(int *)argument;
    x = mine;
    int seen = x;
    assert(seen == mine || seen == 3 - mine);
    return 0;
}

int main(void)
{
    pthread_t one, two;
    int first = 1, second = 2;
    pthread_create(&one, 0, worker, &first);
    pthread_create(&two, 0, worker, &second);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
