// G. L. Peterson, Myths about the mutual exclusion problem, Information Processing Letters 12(3), 1981.
#include "mutual_exclusion.h"

int wants[2], turn;

static void enter(int me)
{
    wants[me] = 1;
    STORE_FENCE();
    turn = 1 - me;
    FENCE();
    while (wants[1 - me] && turn == 1 - me)
        ;
}

static void leave(int me)
{
    wants[me] = 0;
}

void *first(void *unused)
{
    for (;;) {
        enter(0);
        in_critical_section();
        leave(0);
    }
}

void *second(void *unused)
{
    for (;;) {
        enter(1);
        in_critical_section();
        leave(1);
    }
}
