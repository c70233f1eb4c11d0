// sley: reach=true race=true deadlock=true memory=true overflow=true
// `memmove` of a size that is known at run time only moves pointers by one, to either side.
#include <assert.h>
#include <string.h>
static size_t n(size_t k) { volatile size_t s = k; return s; }
int main(void) {
    int x[4] = {0,1,2,3}; int *a[5] = {&x[0], &x[1], &x[2], &x[3], 0};
    memmove(a + 1, a, n(4 * sizeof *a));
    assert(a[1] == &x[0] && a[4] == &x[3] && *a[3] == 2 && a[0] == &x[0]);
    memmove(a, a + 1, n(4 * sizeof *a));
    assert(a[0] == &x[0] && a[3] == &x[3] && *a[2] == 2 && a[4] == &x[3]);
    return 0; }
