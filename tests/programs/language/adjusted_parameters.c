// sley: reach=true race=true deadlock=true memory=true overflow=true
// Parameters of array and of function type in selections by type, operators, old and variable definitions.
#include <assert.h>
static int two(void) { return 2; }
int x = 1, y = 2;
static int f(int v[4]) { return _Generic(v, int *: x, default: y); }
static int f2(int v[2][3]) { return _Generic(v, int (*)[3]: x, default: y); }
static int f3(char *v[]) { return _Generic(v, char **: x, default: y); }
static int f4(const char v[]) { return _Generic(v, const char *: x, char *: y, default: y); }
static int f5(int n, int v[n]) { return _Generic(v, int *: x, default: y); }
static int *f6(int v[4]) { return _Generic(x, int: v, default: (int *)0); }
static int g(int h(void)) { int (**w)(void) = &h; return (*w)() + (h == two) + (h != 0) + !h + (h ? h : two)() + (*h)() + (**h)() + (h ? 1 : 0) + (h && 1); }
static int comma(int v[3], int w[3]) { return (v, w)[1] + (v = w)[0] + *(v += 1) + (__extension__ v)[0] + (v)[0] + ({ v; })[1] + (v ?: w)[0] + (0 ?: v)[0]; }
struct s { int a, b; };
static int arrow(struct s v[]) { return v->a + (v)->b + (v + 1)->a + (v++)->b + (v--)->a + (&v[1])->b; }
static int cmp(int v[], int w[]) { return (v == w) + (v != 0) + (0 == v) + (v == (void *)0); }
static int sw(int v[4]) { switch (v != 0) { case 1: return 7; default: return 8; } }
static int ret(int v[const 4]) { return v[0]; }
static int rst(int v[restrict static 2]) { return *v; }
static int vol(volatile int v[]) { return v ? v[0] : 0; }
static int idx(int v[]) { return 1[v] + v[0]; }
static int nested(int v[2][2]) { return v[1][0] + *v[1] + **v + (v[0] == 0) + !v[0] + (v[0] ? 1 : 0) + (*v != 0); }
static int ptr3(int *v[2]) { return *v[0] + (v[1] == 0) + (v == 0) + (*v)[0]; }
typedef int quad[4];
static int td(quad v) { return v == 0 ? -1 : sizeof v == sizeof(int *) ? v[3] : -2; }
static int vla2(int n, int m, int v[n][m]) { return v == 0 ? 0 : sizeof *v == m * sizeof(int) ? v[n-1][m-1] : -1; }
static int vla3(int n, int v[*]);
static int vla3(int n, int v[n + 1]) { return v[n] + (v != 0); }
static void *pass(void *v[]) { return v ? v[0] : 0; }
static int kr(v, h) int v[3]; int h(); { return !v + h() + (v ? v[0] : 0) + (h == 0); }
static int va(int n, ...) { return n; }
static int through(int v[2]) { return va(1, v) + (v ? 1 : 0); }
static long asint(int v[2]) { return (long)v == (long)&v[0]; }
static _Bool tobool(int v[2]) { return v; }
static const char *fn(void) { return __func__; }
static int fnsize(void) { return sizeof __func__ + (&__func__ != 0) + (*&__func__)[0] + __func__[1] + (__func__ == 0); }
struct named { char name[4]; int k[2]; };
static struct named init(void) { struct named r = { .name = "ab", .k = { [1] = 5 } }; return r; }
int main(void) {
  int a[4] = {1, 2, 3, 4}, m[2][3] = {{1,2,3},{4,5,6}}, q[2][2] = {{1,2},{3,4}};
  char *s[2] = {"a", 0}; struct s ss[3] = {{1,2},{3,4},{5,6}};
  int *p[2] = {a, 0}; void *vp[1] = {a};
  assert(f(a) == 1 && f2(m) == 1 && f3(s) == 1 && f4("x") == 1 && f5(2, a) == 1 && f6(a) == a);
  assert(g(two) == 2 + 1 + 1 + 0 + 2 + 2 + 2 + 1 + 1);
  assert(comma(a, a) == 2 + 1 + 2 + 2 + 2 + 3 + 2 + 2);
  assert(arrow(ss) == 1 + 2 + 3 + 2 + 3 + 4);
  assert(cmp(a, a) == 2 && sw(a) == 7 && ret(a) == 1 && rst(a) == 1 && vol(a) == 1 && idx(a) == 3);
  assert(nested(q) == 3 + 3 + 1 + 0 + 0 + 1 + 1);
  assert(ptr3(p) == 1 + 1 + 0 + 1);
  assert(td(a) == 4 && vla2(2, 3, m) == 6 && vla3(2, a) == 4 && pass(vp) == a && pass(0) == 0);
  assert(kr(a, two) == 3 && through(a) == 2 && asint(a) && tobool(a) && !tobool(0));
  assert(fn()[0] == 'f' && fnsize() == 7 + 1 + 'f' + 'n');
  assert(init().name[1] == 'b' && init().k[1] == 5);
  return 0;
}
