// sley: reach=true race=true deadlock=true memory=true overflow=true division=true
// Constant expressions that C wants at compile time, close to the limits: none overflows.
#include <assert.h>
#include <limits.h>

enum { LOW = INT_MIN, HIGH = INT_MAX, MIDDLE = LOW + HIGH, TOP = 1 << 30 };

_Static_assert(MIDDLE == -1, "");
_Static_assert(1u << 31 == 2147483648u, "");

int cells[(1 << 3) - 5];
int start = -2147483647 - 1;
unsigned wrapped = 4294967295u + 1u;
long wide = 1L << 62;

int main(void)
{
    assert(sizeof cells == 12 && start == LOW && wrapped == 0 && wide == 4611686018427387904);
    switch (start) {
    case INT_MIN:
        return 0;
    case INT_MAX - 1 + 1:
        assert(0);
    }
    assert(0);
    return 1;
}
