// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=true
// Which digits a double has that comes from outside is not known, but how many they are at most.
#include <assert.h>
#include <stdio.h>

int __VERIFIER_nondet_int(void);

int main(void)
{
    char text[7];
    int third = __VERIFIER_nondet_int();
    if (third < 0 || third > 40)
        return 1;
    int length = sprintf(text, "%.2f%%", third / 3.0);
    assert(length >= 5 && length <= 6);
    return 0;
}
