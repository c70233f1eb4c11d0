// sley: reach=false race=false deadlock=true memory=true overflow=true
// Peterson's algorithm with the turn given away before the interest is shown: both can enter.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int interested[2];
atomic_int turn;
int counter;

static void enter(int me)
{
    int other = 1 - me;
    turn = other;
    interested[me] = 1;
    while (interested[other] && turn == other)
        ;
    counter++;
    interested[me] = 0;
}

void *first(void *unused)
{
    enter(0);
    return 0;
}

void *second(void *unused)
{
    enter(1);
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(counter == 2);
    return 0;
}
