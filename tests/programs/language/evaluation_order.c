// sley: reach=true race=true deadlock=true memory=true overflow=true
// Operands and arguments are taken from left to right: an assumption that reports state (gcc takes arguments from the right).
#include <assert.h>

int order;

static int note(int digit)
{
    order = order * 10 + digit;
    return digit;
}

static int three(int a, int b, int c)
{
    return a + b + c;
}

int main(void)
{
    int sum = note(1) + note(2) * note(3);
    assert(sum == 7 && order == 123);
    order = 0;
    assert(three(note(4), note(5), note(6)) == 15 && order == 456);
    return 0;
}
