// sley: reach=true race=true deadlock=true memory=true overflow=true
// Inputs are moved whole, by way of memory without a type.
#include <assert.h>
#include <stdlib.h>
#include <string.h>
extern int __VERIFIER_nondet_int(void);
struct rec { int a; int *p; short b; };
int main(void) {
    size_t es = sizeof(struct rec); char *d = malloc(4 * es);
    struct rec r = {__VERIFIER_nondet_int(), 0, (short)__VERIFIER_nondet_int()}, s;
    memcpy(d + 2 * es, &r, es); memmove(d + es, d + 2 * es, es); memcpy(&s, d + es, es);
    assert(s.a == r.a && s.b == r.b && s.p == 0);
    free(d);
    return 0; }
