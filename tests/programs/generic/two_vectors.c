// sley: reach=true race=true deadlock=true memory=true overflow=true
// Two vectors in one thread, of numbers and of records with padding, grow by way of the same functions.
#include <assert.h>
#include <stdlib.h>
#include <string.h>
struct v { void *d; size_t es, n; };
static void put(struct v *v, const void *e) { v->d = realloc(v->d, (v->n + 1) * v->es); memcpy((char *)v->d + v->n++ * v->es, e, v->es); }
static void get(struct v *v, size_t i, void *e) { memcpy(e, (char *)v->d + i * v->es, v->es); }
struct rec { char c; short s; void *p; int l; };
int main(void) {
    struct v a = {0, sizeof(short), 0}, b = {0, sizeof(struct rec), 0};
    short s = 5; struct rec r = {1, 2, &s, 3};
    put(&a, &s); s = 6; put(&a, &s); put(&b, &r); r.c = 9; r.p = 0; put(&b, &r);
    short t; struct rec u;
    get(&a, 0, &t); assert(t == 5); get(&a, 1, &t); assert(t == 6);
    get(&b, 0, &u); assert(u.c == 1 && u.s == 2 && *(short *)u.p == 6 && u.l==3);
    get(&b, 1, &u); assert(u.c == 9 && u.p == 0);
    free(a.d); free(b.d);
    return 0; }
