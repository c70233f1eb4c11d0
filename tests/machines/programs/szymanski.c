// B. K. Szymanski, A simple solution to Lamport's concurrent programming problem with linear wait, ICS 1988.
#include "mutual_exclusion.h"

int flag[2];

static void enter(int me)
{
    int other = 1 - me;
    flag[me] = 1;
    FENCE();
    while (flag[other] >= 3)
        ;
    flag[me] = 3;
    FENCE();
    if (flag[other] == 1) {
        flag[me] = 2;
        FENCE();
        while (flag[other] != 4)
            ;
    }
    flag[me] = 4;
    FENCE();
    if (me == 1)
        while (flag[other] >= 2)
            ;
}

static void leave(int me)
{
    int seen = 0;
    if (me == 0)
        do
            seen = flag[1 - me];
        while (seen == 2 || seen == 3);
    flag[me] = 0;
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
