// sley: reach=true race=true deadlock=true memory=true overflow=true
// Calls through pointers, tables and parameters.
#include <assert.h>

typedef int (*operation)(int, int);

static int add(int a, int b)
{
    return a + b;
}

static int subtract(int a, int b)
{
    return a - b;
}

static int apply(operation f, int a, int b)
{
    return f(a, b);
}

struct command {
    char key;
    operation run;
};

struct command commands[] = {{'+', add}, {'-', &subtract}};

int main(void)
{
    operation f = add;
    assert(f(2, 3) == 5 && (*f)(2, 3) == 5);
    assert(apply(subtract, 7, 4) == 3);
    for (int i = 0; i < 2; i++)
        assert(commands[i].run(6, 2) == (commands[i].key == '+' ? 8 : 4));
    assert(f == add && f != subtract);
    return 0;
}
