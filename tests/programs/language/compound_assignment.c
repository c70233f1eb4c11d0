// sley: reach=true race=true deadlock=true memory=true overflow=true division=true
// The target of a compound assignment is evaluated once.
#include <assert.h>

int numbers[3] = {1, 2, 3};
int calls;

static int *place(int index)
{
    calls++;
    return &numbers[index];
}

int main(void)
{
    *place(1) += 5;
    *place(2) <<= 2;
    (*place(0))++;
    assert(calls == 3 && numbers[0] == 2 && numbers[1] == 7 && numbers[2] == 12);
    int i = 0;
    numbers[i++] *= 10;
    assert(i == 1 && numbers[0] == 20);
    unsigned char byte = 200;
    byte /= 3;
    byte %= 50;
    byte ^= 0xff;
    assert(byte == 239);
    int a, b, c;
    a = b = c = 4;
    assert(a + b + c == 12);
    return 0;
}
