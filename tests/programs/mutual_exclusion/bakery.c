// sley: reach=true race=true deadlock=true memory=true overflow=true
// Lamport's bakery: take a number higher than all others, the lowest number goes first.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_bool choosing[2];
atomic_int number[2];
int served;

static void visit(int me)
{
    int other = 1 - me;
    choosing[me] = 1;
    int mine = number[other] + 1;
    number[me] = mine;
    choosing[me] = 0;
    while (choosing[other])
        ;
    for (;;) {
        int theirs = number[other];
        if (theirs == 0 || mine < theirs || (mine == theirs && me < other))
            break;
    }
    served++;
    number[me] = 0;
}

void *first(void *unused)
{
    visit(0);
    return 0;
}

void *second(void *unused)
{
    visit(1);
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(served == 2);
    return 0;
}
