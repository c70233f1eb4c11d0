// sley: reach=false race=true memory=true
// Any byte of a variable may be written on one of two ways: where they meet, it is not what it was in the beginning.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

struct mixed {
    char letters[3];
    int number;
    short half;
} mixed;
char *bytes;

int main(void)
{
    unsigned place = __VERIFIER_nondet_int();
    bytes = (char *)&mixed;
    if (place < sizeof mixed && __VERIFIER_nondet_int())
        bytes[place] = 5;
    assert(mixed.number == 0);
    return 0;
}
