// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=true
// Arguments of the types that the format says, after promotion.
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum colour { RED };

int main(void)
{
    char c = 'a';
    short s = 1;
    unsigned char u = 2;
    float f = 1;
    _Bool b = 1;
    enum colour colour = RED;
    printf("%c %hd %hhu %f %d %d %u %%\n", c, s, u, f, b, colour, colour);
    printf("%ld %lu %lld %llx %zu %td %jd\n", 1L, 2UL, 3LL, 4ULL, sizeof c, (ptrdiff_t)1, (intmax_t)1);
    printf("%p %p %x %g %*.*e\n", (void *)&c, (void *)0, 7, 1.5, 3, 2, 2.5);
    printf("%i\n", 1, "one more is only evaluated");
    return 0;
}
