// sley: reach=true race=true deadlock=true memory=true overflow=true
// Enumerations, also one that is named before it is defined, and a choice between two functions that is called.
#include <assert.h>

typedef enum state state;
enum state { IDLE, BUSY = 4, DONE };
enum negative { BELOW = -1, ZERO };
struct machine { state now; enum negative sign; } machine;

static int steps;
static void forward(void) { steps++; }
static void backward(void) { steps--; }

static int weight(state s)
{
    switch (s) {
    case IDLE:
        return 1;
    case BUSY ... DONE:
        return 2;
    }
    return 3;
}

int main(void)
{
    machine.now = BUSY;
    machine.sign = BELOW;
    machine.now++;
    assert(machine.now == DONE && weight(machine.now) == 2 && weight(IDLE) == 1 && machine.sign < ZERO);
    (machine.now == DONE ? forward : backward)();
    assert(steps == 1 && sizeof(state) == 4 && DONE == 5);
    return 0;
}
