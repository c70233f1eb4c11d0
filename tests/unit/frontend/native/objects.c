// Bit-fields, unions, anonymous members, struct values, atomics, floats.
#include "values.h"
#include <stdlib.h>
#include <string.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
struct bf { unsigned a : 3; int b : 5; unsigned c : 12; _Bool d : 1; unsigned : 0; unsigned e : 7; int f; };
struct bf gb = { 5, -3, 1000, 1, 100, 9 };
struct anon { int t; union { int i; struct { short lo, hi; }; }; }
    ga = { .t = 1, .hi = 2, .lo = 7 }, gc = { 3, { 70000 } };
struct flex { int n; int data[]; };
union pun { float f; unsigned u; unsigned char b[4]; };
struct inner { int a[2]; char c; };
struct outer { struct inner in[2]; int z; } go = { { { { 1, 2 }, 'x' }, { { 3 }, 'y' } }, 5 };
struct outer gd = { 1, 2, 'q', 3, 4, 'r', 6 };
int *pi = (int[]){ 7, 8, 9 }; struct inner *pin = &(struct inner){ { 1, 2 }, 3 };
_Atomic int ai = 5;
atomic_uint au;
atomic_bool ab;
_Atomic(int *) ap;
atomic_flag fl = ATOMIC_FLAG_INIT;
_Atomic long al = -3;
_Atomic unsigned char ac = 250;
int arr[4] = { 10, 20, 30, 40 };
static inline int mx(int a, int b) { return a > b ? a : b; }
#define MAX(a, b) ({ __typeof__(a) _a = (a); __typeof__(b) _b = (b); _a > _b ? _a : _b; })
struct big { long v[3]; char t; };
struct big mkbig(int n) { struct big b = { { n, n + 1 }, 'k' }; b.v[2] = n * 2; return b; }
long sumbig(struct big b) { return b.v[0] + b.v[1] + b.v[2] + b.t; }
struct big pass(struct big b) { b.v[0]++; return b; }
typedef int (*op)(int, int);
int add(int a, int b) { return a + b; } int sub(int a, int b) { return a - b; }
op pick(int w) { return w ? add : sub; }
int run(op o[2], int x) { return o[0](x, 1) * o[1](x, 2); }
struct vt { op f; const char *name; } vts[] = { { add, "add" }, { sub, "sub" } };
int kr(a, b) int a; char b; { return a * b; }
unsigned long long mulwide(unsigned a, unsigned b) { return (unsigned long long)a * b; }
extern int later; int uselater(void) { return later; } int later = 77;
int tent; int tent; int tent = 4;
__thread int tls = 6;
int main(void) {
    VALUE(gb.a); VALUE(gb.b); VALUE(gb.c); VALUE(gb.d); VALUE(gb.e); VALUE(gb.f); struct bf lb = { 1, 2 };
    lb.b = -16; lb.c = 4095; VALUE(lb.a); VALUE(lb.b); VALUE(lb.c); VALUE(lb.d); lb.c++; VALUE(lb.c);
    lb.a += 9; VALUE(lb.a); VALUE(lb.b--); VALUE(lb.b); VALUE((lb.a = 15)); lb.d = 6; VALUE(lb.d);
    VALUE(sizeof(struct bf)); struct bf *pb = &lb; pb->e = 200; VALUE(pb->e); lb = gb; VALUE(lb.c);
    VALUE(ga.i); VALUE(gc.lo); VALUE(gc.hi); VALUE(ga.t); struct anon la = ga; la.hi = 9; VALUE(la.i);
    union pun p = { 1.5f }; VALUE(p.u); VALUE(p.b[3]); p.b[3] = 0x40; VALUE(p.f > 2); p.u = 0;
    VALUE(p.f == 0); p.u = 0x12345678; VALUE(p.b[1]); VALUE(go.in[1].a[0]); VALUE(go.in[1].c);
    VALUE(go.in[0].a[1]); VALUE(go.z); VALUE(gd.in[0].c); VALUE(gd.in[1].a[1]); VALUE(gd.z);
    struct outer lo = { .in[1].a[1] = 4, .z = 2 }; VALUE(lo.in[1].a[1]); VALUE(lo.in[0].a[0]);
    VALUE(lo.in[1].c); lo.in[0] = go.in[1]; VALUE(lo.in[0].c); VALUE(pi[2]); VALUE(pin->a[1]);
    int *pl = (int[3]){ 1, 2 }; VALUE(pl[1] + pl[2]); ai++; VALUE(ai); VALUE(ai--); VALUE(++ai); ai += 10;
    VALUE(ai); ai *= 2; VALUE(ai); ai = 3; VALUE(ai |= 8); au = 5; VALUE(atomic_fetch_add(&au, 3));
    VALUE(au); VALUE(atomic_fetch_sub_explicit(&au, 1, memory_order_relaxed));
    VALUE(atomic_exchange(&au, 50)); VALUE(atomic_load(&au)); atomic_store(&au, 1); VALUE(au); int ex = 1;
    VALUE(atomic_compare_exchange_strong(&au, &ex, 2)); VALUE(au);
    VALUE(atomic_compare_exchange_strong(&au, &ex, 9)); VALUE(ex); VALUE(au); ab = 5; VALUE(ab);
    VALUE(atomic_exchange(&ab, false)); VALUE(ab); ap = arr; ap++; VALUE(*ap); ap++; VALUE(*ap);
    VALUE(atomic_flag_test_and_set(&fl)); VALUE(atomic_flag_test_and_set(&fl)); atomic_flag_clear(&fl);
    VALUE(atomic_flag_test_and_set(&fl)); al -= 5; VALUE(al); ac += 10; VALUE(ac);
    VALUE(atomic_fetch_or(&ai, 64)); VALUE(ai); VALUE(atomic_fetch_xor(&ai, 1));
    VALUE(atomic_fetch_and(&ai, 0xf)); VALUE(ai); atomic_int loc; atomic_init(&loc, 9); VALUE(loc); loc++;
    VALUE(loc); int sy = 4; VALUE(__sync_fetch_and_add(&sy, 2)); VALUE(__sync_add_and_fetch(&sy, 2));
    VALUE(__sync_bool_compare_and_swap(&sy, 8, 1)); VALUE(__sync_val_compare_and_swap(&sy, 1, 3));
    VALUE(sy); VALUE(__sync_lock_test_and_set(&sy, 7)); __sync_lock_release(&sy); VALUE(sy);
    VALUE(__atomic_add_fetch(&sy, 5, __ATOMIC_SEQ_CST)); VALUE(__atomic_nand_fetch(&sy, 5, 0));
    VALUE(__atomic_load_n(&sy, 0)); __atomic_store_n(&sy, 2, 0); int r1; __atomic_load(&sy, &r1, 5);
    VALUE(r1); VALUE(__atomic_exchange_n(&sy, 12, 5)); int e2 = 12;
    VALUE(__atomic_compare_exchange_n(&sy, &e2, 13, 0, 5, 5)); VALUE(sy);
    VALUE(__atomic_fetch_sub(&sy, 1, 5)); bool tas = 0; VALUE(__atomic_test_and_set(&tas, 5)); VALUE(tas);
    __atomic_clear(&tas, 5); VALUE(tas); VALUE(mx(3, 4)); VALUE(MAX(sy, 20)); VALUE(sumbig(mkbig(4)));
    VALUE(sumbig(pass(mkbig(1)))); struct big bb = mkbig(2); struct big cc = pass(bb);
    VALUE(bb.v[0] * 10 + cc.v[0]); VALUE((sy ? bb : cc).v[1]); VALUE(mkbig(7).v[2]); VALUE(pick(1)(5, 3));
    VALUE(pick(0)(5, 3)); VALUE(run((op[]){ add, sub }, 6)); VALUE(vts[1].f(9, 4)); VALUE(vts[0].name[2]);
    VALUE(kr(3, 4)); VALUE(mulwide(4000000000u, 3)); VALUE(uselater()); VALUE(tent); tls++; VALUE(tls);
    int *ptls = &tls; VALUE(*ptls); struct flex *fx = malloc(sizeof(struct flex) + 3 * sizeof(int));
    fx->n = 3; for (int i = 0; i < fx->n; i++) fx->data[i] = i * 5; VALUE(fx->data[2]); VALUE(fx->n);
    free(fx); uint64_t w = 0x1122334455667788ULL; unsigned char *pc = (unsigned char *)&w; VALUE(pc[0]);
    VALUE(pc[7]); pc[1] = 0; VALUE(w); short *ps = (short *)&w; VALUE(ps[1]); double dv[2] = { 1.5, 2.5 };
    dv[0] *= dv[1]; VALUE((int)(dv[0] * 100)); float fa = 1.0f; fa /= 3;
    VALUE(fa < 0.3334f && fa > 0.3333f); VALUE((int)(dv[1]) % 2); long dl = 5; dl *= 1.5; VALUE(dl);
    int di = 7; di /= 2.0; VALUE(di); unsigned char du = 10; du *= 30; VALUE(du); VALUE(1e10 > 5);
    VALUE((unsigned char)(3.7f)); VALUE(-1.5 < -1); VALUE((_Bool)-0.0); void *generic = &sy;
    *(int *)generic = 4; VALUE(sy); char *bytes = (char *)arr; VALUE(*(int *)(bytes + 8));
    VALUE((char *)&arr[3] - bytes); VALUE(arr + 1 < arr + 2); VALUE(&arr[4] - &arr[0]); volatile int vo = 3;
    vo++; VALUE(vo); const int ci = 4; VALUE(ci + vo); register int rg = 2; VALUE(rg << 2); int unused;
    (void)unused; VALUE(sizeof(struct { char c; long l; })); VALUE(_Alignof(long));
    VALUE(__builtin_offsetof(struct big, t)); char multi[2][4] = { "ab", "cde" }; VALUE(multi[1][2]);
    VALUE(multi[0][3]); const char *const tbl[2] = { [1] = "z" }; VALUE(tbl[0] == 0); VALUE(*tbl[1]);
    goto end; end: return 0; }
