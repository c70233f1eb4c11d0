// sley: reach=true race=true deadlock=true memory=true overflow=true
// switch with fall-through, goto, do, break, continue, nested loops.
#include <assert.h>

enum colour { RED, GREEN = 5, BLUE };

static int weight(enum colour c)
{
    int result = 0;
    switch (c) {
    case RED:
        result += 1;
    case GREEN:
        result += 10;
        break;
    default:
        result = -1;
    }
    return result;
}

static int first_multiple(int of, int above)
{
    int i, j;
    for (i = 1; i < 4; i++)
        for (j = 1; j < 4; j++)
            if (i * j * of > above)
                goto found;
    return 0;
found:
    return 10 * i + j;
}

int main(void)
{
    assert(weight(RED) == 11 && weight(GREEN) == 10 && weight(BLUE) == -1 && BLUE == 6);
    assert(first_multiple(5, 16) == 22 && first_multiple(1, 100) == 0);
    int count = 0, i = 0;
    do {
        i++;
        if (i % 2 == 0)
            continue;
        if (i > 5)
            break;
        count += i;
    } while (i < 10);
    assert(count == 9 && i == 7);
    int k = 3;
    while (k-- > 0)
        ;
    assert(k == -1);
    return 0;
}
