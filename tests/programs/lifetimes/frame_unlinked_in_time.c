// sley: reach=true race=true deadlock=true memory=true overflow=true
// The same list of frames, but each call takes its own out again before it returns.
#include <assert.h>

struct frame {
    int depth;
    struct frame *former;
};

static struct frame *top;

static int inner(void)
{
    return top->depth + (top->former ? top->former->depth : 0);
}

static int call(int depth)
{
    struct frame mine = {depth, top};
    top = &mine;
    int sum = depth > 1 ? inner() : call(depth + 1);
    top = mine.former;
    return sum;
}

int main(void)
{
    for (int round = 0; round < 2; round++)
        assert(call(1) == 3);
    assert(!top);
    return 0;
}
