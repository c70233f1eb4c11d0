// sley: unmodelled=true
// Jumps out of functions are not modelled: nothing is known behind `longjmp`.
#include <assert.h>
#include <setjmp.h>

static jmp_buf place;

int main(void)
{
    int n = 0;
    if (setjmp(place) == 0) {
        n = 1;
        longjmp(place, 1);
    }
    assert(n == 0);
    return 0;
}
