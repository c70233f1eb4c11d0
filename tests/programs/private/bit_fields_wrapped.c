// sley: reach=false race=true deadlock=true memory=true overflow=true
// Bit-fields of a structure of one's own, of which one overflows into nothing.
#include <assert.h>

struct flags {
    unsigned a : 3;
    unsigned b : 7;
    int c : 2;
    int whole;
};

static void set(struct flags *flags)
{
    flags->a = 5;
    flags->b = 127;
    flags->c = -1;
    flags->whole = 7;
}

int main(void)
{
    struct flags flags;
    set(&flags);
    flags.b++;
    assert(flags.a == 5 && flags.b == 101 && flags.c == -1 && flags.whole == 7);
}
