// sley: reach=true race=true deadlock=true memory=true overflow=true
// Qualifiers, inline functions, enumerations, typedefs of functions: none of them changes a value.
#include <assert.h>

typedef int binary(int, int);
enum { NEGATIVE = -3, NEXT, BIG = 1 << 20 };
static inline int add(const int a, register int b) { return a + b; }
extern inline __attribute__((gnu_inline)) int unused(void) { return 1; }
static binary subtract;
_Noreturn void stop(void);

static int apply(binary *f, int *restrict p, const volatile int *q) { return f(*p, *q); }
static int subtract(int a, int b) { return a - b; }

int main(void)
{
    int a = 7;
    const volatile int b = 2;
    assert(apply(add, &a, &b) == 9 && apply(subtract, &a, &b) == 5 && NEXT == -2 && BIG == 1048576);
    __auto_type c = a;
    __extension__ long long d = 5LL;
    assert(c == 7 && d == 5 && sizeof "abc" "de" == 6 && L"x"[0] == 'x' && u8"y"[0] == 'y' && '\x41' == 65);
    return 0;
}
