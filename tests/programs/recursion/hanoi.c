// sley: reach=true race=true deadlock=true memory=true overflow=true
// The towers of Hanoi: each disc lies on a larger one, and all of them move.
#include <assert.h>

static int discs = 4, peg[3][8], height[3], moves;

static void move(int count, int from, int to, int by)
{
    if (count == 0)
        return;
    move(count - 1, from, by, to);
    int disc = peg[from][--height[from]];
    assert(height[to] == 0 || peg[to][height[to] - 1] > disc);
    peg[to][height[to]++] = disc;
    moves++;
    move(count - 1, by, to, from);
}

int main(void)
{
    for (int disc = discs; disc > 0; disc--)
        peg[0][height[0]++] = disc;
    move(discs, 0, 2, 1);
    assert(height[2] == discs && moves == 15);
    return 0;
}
