// Dekker's algorithm (E. W. Dijkstra, Over de sequentialiteit van procesbeschrijvingen, EWD 35, 1962).
#include "mutual_exclusion.h"

int wants[2], turn;

static void enter(int me)
{
    wants[me] = 1;
    FENCE();
    while (wants[1 - me])
        if (turn != me) {
            wants[me] = 0;
            while (turn != me)
                ;
            wants[me] = 1;
            FENCE();
        }
}

static void leave(int me)
{
    turn = 1 - me;
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
