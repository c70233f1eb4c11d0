// sley: reach=true race=true deadlock=true memory=true overflow=true
// A second name for a function and for a variable; a weak function that nobody replaces.
#include <assert.h>

static int add_one(int x) { return x + 1; }
int successor(int x) __attribute__((alias("add_one")));
int number = 9;
extern int numeral __attribute__((alias("number")));
__attribute__((weak)) int hook(void) { return 5; }
int tuning __attribute__((weak)) = 2;

int main(void)
{
    int (*f)(int) = successor;
    assert(successor(3) == 4 && f == add_one && f(4) == 5 && hook() == 5 && tuning == 2);
    numeral = 10;
    assert(number == 10 && &number == &numeral);
    return 0;
}
