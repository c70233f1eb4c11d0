// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=true
// Each block leads to the one before, in front of an array whose length is not constant.
#include <stdlib.h>

struct text {
    struct text *before;
    char characters[];
};

static struct text *last;

static void add(int length)
{
    struct text *made = malloc(sizeof *made + length);
    made->before = last;
    made->characters[length - 1] = 0;
    last = made;
}

int main(void)
{
    add(4);
    add(40);
    return 0;
}
