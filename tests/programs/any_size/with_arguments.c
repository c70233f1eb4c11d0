// sley: reach=false memory=true
// A block whose size is an input, in a program that has arguments: more than fit into an object are none of its worries.
#include <assert.h>
#include <stdlib.h>

extern unsigned long __VERIFIER_nondet_ulong(void);

int main(int argc, char **argv)
{
    unsigned long length = __VERIFIER_nondet_ulong();
    if (length > 100000)
        return 0;
    int *numbers = malloc(length * sizeof *numbers + sizeof *numbers);
    numbers[0] = 1;
    assert(argv == 0 || numbers[0] == 2);
    free(numbers);
    return argc == 0;
}
