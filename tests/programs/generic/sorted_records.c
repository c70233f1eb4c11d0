// sley: reach=true race=true deadlock=true memory=true overflow=true
// `qsort` moves records with padding and pointers whole.
#include <assert.h>
#include <stdlib.h>
struct rec { char c; int *p; };
static int cmp(const void *a, const void *b) { return *((const struct rec *)a)->p - *((const struct rec *)b)->p; }
int main(void) {
    int x[3] = {3, 1, 2}; struct rec r[3] = {{'c', &x[0]}, {'a', &x[1]}, {'b', &x[2]}};
    qsort(r, 3, sizeof *r, cmp);
    assert(r[0].c == 'a' && r[0].p == &x[1] && *r[1].p == 2 && r[2].c == 'c');
    return 0; }
