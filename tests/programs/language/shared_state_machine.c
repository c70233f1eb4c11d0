// sley: reach=true race=true deadlock=true memory=true overflow=true
// Two threads drive a state machine in turns: enum, switch and an atomic state.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum state { EMPTY, FILLED, DRAINED };

_Atomic enum state state = EMPTY;
int level;

static void drive(enum state from, enum state to)
{
    while (state != from)
        ;
    switch (from) {
    case EMPTY:
        level = 2;
        break;
    case FILLED:
        level--;
        /* fall through */
    case DRAINED:
        level--;
        break;
    default:
        assert(0);
    }
    state = to;
}

void *drainer(void *unused)
{
    drive(FILLED, DRAINED);
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, drainer, 0);
    drive(EMPTY, FILLED);
    pthread_join(thread, 0);
    assert(state == DRAINED && level == 0);
    return 0;
}
