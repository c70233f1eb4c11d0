// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=true args="--data-model ILP32"
// Threads of C11 where pointers are as wide as their results.
#include <assert.h>
#include <threads.h>

int seen[2];

int worker(void *argument)
{
    int *place = argument;
    *place = 1;
    if (place == &seen[1])
        thrd_exit(-7);
    return 5;
}

int main(void)
{
    thrd_t one, other;
    int first, second;
    assert(thrd_create(&one, worker, &seen[0]) == thrd_success);
    assert(thrd_create(&other, worker, &seen[1]) == thrd_success);
    assert(!thrd_equal(one, other) && !thrd_equal(one, thrd_current()));
    thrd_yield();
    thrd_join(one, &first);
    thrd_join(other, &second);
    assert(first == 5 && second == -7);
    assert(seen[0] == 1 && seen[1] == 1);
    return 0;
}
