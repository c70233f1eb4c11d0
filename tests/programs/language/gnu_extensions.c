// sley: reach=true race=true deadlock=true memory=true overflow=true
// Extensions of gcc that real programs use: statement expressions, typeof, ranges, `?:` with two operands.
#include <assert.h>

#define LARGER(a, b) ({ __typeof__(a) x = (a); __typeof__(b) y = (b); x > y ? x : y; })

static int size_of(int c)
{
    switch (c) {
    case 'a' ... 'z':
        return 1;
    case '0' ... '9':
        return 2;
    }
    return 3;
}

int main(void)
{
    int number = 3;
    assert(LARGER(number++, 2) == 3 && number == 4);
    assert(size_of('q') == 1 && size_of('7') == 2 && size_of('-') == 3);
    int zero = 0;
    assert((zero ?: 5) == 5 && (number ?: 5) == 4);
    if (__builtin_expect(number == 4, 1))
        number = 0;
    assert(number == 0);
    return 0;
}
