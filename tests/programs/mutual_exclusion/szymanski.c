// sley: reach=true race=true deadlock=true memory=true overflow=true
// Szymanski's algorithm: a waiting room with a door that closes behind those inside.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { OUTSIDE, STANDING, WAITING, AT_DOOR, INSIDE };

atomic_int place[2];
int counter;

static void visit(int me)
{
    int other = 1 - me;
    place[me] = STANDING;
    while (place[other] >= AT_DOOR)
        ;
    place[me] = AT_DOOR;
    if (place[other] == STANDING) {
        place[me] = WAITING;
        while (place[other] != INSIDE)
            ;
    }
    place[me] = INSIDE;
    if (me == 1)
        while (place[0] >= WAITING)
            ;
    counter++;
    if (me == 0)
        for (;;) {
            int theirs = place[1];
            if (theirs != WAITING && theirs != AT_DOOR)
                break;
        }
    place[me] = OUTSIDE;
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
    assert(counter == 2);
    return 0;
}
