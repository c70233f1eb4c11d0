// L. Lamport, A fast mutual exclusion algorithm, ACM TOCS 5(1), 1987, algorithm 2.
#include "mutual_exclusion.h"

int busy[3], x, y;

static void enter(int me)
{
    for (;;) {
        busy[me] = 1;
        STORE_FENCE();
        x = me;
        FENCE();
        if (y != 0) {
            busy[me] = 0;
            while (y != 0)
                ;
            continue;
        }
        y = me;
        FENCE();
        if (x == me)
            return;
        busy[me] = 0;
        FENCE();
        while (busy[3 - me])
            ;
        if (y == me)
            return;
        while (y != 0)
            ;
    }
}

static void leave(int me)
{
    y = 0;
    STORE_FENCE();
    busy[me] = 0;
}

void *first(void *unused)
{
    for (;;) {
        enter(1);
        in_critical_section();
        leave(1);
    }
}

void *second(void *unused)
{
    for (;;) {
        enter(2);
        in_critical_section();
        leave(2);
    }
}
