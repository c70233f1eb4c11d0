// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=true
// Which digits a double has that comes from outside is not known, but how many they are at most.
#include <assert.h>
#include <stdio.h>

double __VERIFIER_nondet_double(void);

int main(void)
{
    char text[8];
    double part = __VERIFIER_nondet_double();
    if (!(part >= 0 && part <= 100))
        return 1;
    int length = sprintf(text, "%.2f%%", part);
    assert(length >= 5 && length <= 7);
    return 0;
}
