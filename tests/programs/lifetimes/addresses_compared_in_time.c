// sley: reach=true race=true deadlock=true memory=true overflow=true
// Addresses of variables that live at the same time differ, and a pointer that was renewed is not left over.
#include <assert.h>

static int *kept;

static void leave(int *number)
{
    int own = *number;
    kept = &own;
    assert(kept != number);
}

int main(void)
{
    int outer = 0, other = 1;
    int *pointer;
    {
        int inner = 2;
        pointer = &inner;
        assert(pointer != &outer);
    }
    for (int round = 0; round < 2; round++) {
        int number = round;
        pointer = &number;
        leave(pointer);
        assert(pointer == &number && pointer != &outer);
    }
    pointer = &other;
    kept = &outer;
    assert(pointer != kept && kept != &other);
    return 0;
}
