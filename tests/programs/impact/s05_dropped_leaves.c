// sley: reach=false race=true deadlock=true memory=true overflow=true
// Both sides of the branch lead to the same place: leaves below a covered node come back when it is uncovered.
#include <assert.h>
#include <pthread.h>

_Atomic int y;

void *thread_one(void *unused)
{
    if (y == 1)
        goto out;
out:
    assert(y == 0);
    return 0;
}

void *thread_two(void *unused)
{
    y = 1;
    return 0;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, 0, thread_one, 0);
    pthread_create(&two, 0, thread_two, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
