// sley: reach=true race=true deadlock=true memory=true overflow=true
// Dekker's algorithm with atomics, one visit per thread.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_bool wants[2];
atomic_int turn;
int inside;

static void visit(int me)
{
    int other = 1 - me;
    wants[me] = 1;
    while (wants[other]) {
        if (turn != me) {
            wants[me] = 0;
            while (turn != me)
                ;
            wants[me] = 1;
        }
    }
    inside++;
    assert(inside == 1);
    inside--;
    turn = other;
    wants[me] = 0;
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
    return 0;
}
