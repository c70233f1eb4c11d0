// sley: reach=true race=true deadlock=true memory=true overflow=true
// Array parameters behind typeof, in library and atomic calls, as the argument of a thread.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
struct s { int a; int arr[2]; };
int glob[3] = {7, 8, 9};
static int t1(int v[3]) { __typeof__(v) w = v; return w[1] + (sizeof w == sizeof(int *)); }
static int t2(int v[3]) { __auto_type w = v; w++; return w[0] + (sizeof w == sizeof(int *)); }
static int t3(int v[3]) { __typeof__(v) w[2] = {v, v + 1}; return w[1][0]; }
static int t4(int v[3]) { struct { __typeof__(v) p; int z; } x = { v, 5 }; return x.p[1] + x.z; }
static int t5(int v[3]) { return *(__typeof__(v))v + ((__typeof__(v))glob)[1]; }
static int t6(int v[3]) { __typeof__(&v) w = &v; return (*w)[1]; }
static int t7(int h(int)) { __typeof__(h) *w = 0; (void)w; __auto_type k = h; return k(2); }
static int t8(int v[2]) { __typeof__(v) *w = &v; **w = 9; return v[0]; }
static int inc(int x) { return x + 1; }
static int *r(int v[3]) { return v; }
static int c1(int c, int v[3]) { return (c ? v : glob)[0] + (c ? glob : v)[0] + (v == glob) + *(c ? v : 0); }
static int c2(int v[3]) { v = glob; return v[0] + *v++ + *v + (v - glob); }
static int c3(int v[3]) { *v++ = 4; *v = 5; v[-1]++; return v[-1] + v[0] + (&*v == v) + (&v[0] == v); }
static int c4(struct s v[2]) { v->a = 3; v->arr[1] = 4; struct s x = *v; *v = v[1]; v[1] = x; return v->a + (v + 1)->arr[1] + v[1].a; }
static int c5(int v[3], int w[3]) { memcpy(v, w, 3 * sizeof *v); return memcmp(v, w, sizeof(int) * 3) == 0; }
static int c6(_Atomic int v[2]) { atomic_fetch_add(v, 2); v[1]++; atomic_store(v + 1, 4); return atomic_load(v) + v[1] + (v == 0); }
static int c8(int v[2]) { return __atomic_load_n(v, __ATOMIC_SEQ_CST) + __sync_fetch_and_add(v, 1) + *v; }
static int c9(int v[2]) { for (int *p = v; p != v + 2; p++) if (!p) return 0; while (v && *v) v++; return v[-1]; }
static int d1(char s[]) { int n = 0; while (*s++) n++; return n + strlen("abc"); }
static int d2(char s[10]) { return strlen(s) + (s[0] == 'h') + strcmp(s, "hi"); }
static int d3(int v[2]) { int *p; p = v; p = v ? v : 0; p = (v, v); return p == v && !(p != v); }
static int d4(const int v[]) { static const int k[2] = {1, 2}; return v == k ? 1 : v[0] + k[1]; }
static int d5(int a[2], int (*b)[2], int *c[2]) { return a == *b && *b == c[0] && b[0][1] == c[0][1] && &b[0] == b; }
static int d6(void *v[2]) { return v[0] == v[1] && *v == v[0]; }
static int d7(int n, char s[n][4]) { return s[1][0] + (s[0] == 0) + (int)sizeof s[0]; }
static int d8(int v[2]) { int i = 0; v[i++] = 1; return v[0] + i + (v + i)[0] + i[v]; }
static int d9(int (*fs[2])(int)) { return fs[0](1) + (*fs[1])(2) + (fs == 0) + (fs[0] == inc) + !fs[0] ; }
void *thread(void *arg) { int *v = arg; v[0] = 1; return v; }
static int th(int v[2]) { pthread_t t; void *res; pthread_create(&t, 0, thread, v); pthread_join(t, &res); return res == v && v[0] == 1; }
int main(int argc, char *argv[], char *envp[]) {
  int a[3] = {1, 2, 3}, b[3] = {0};
  struct s ss[2] = {{1, {2, 3}}, {4, {5, 6}}};
  _Atomic int at[2] = {1, 1};
  assert(t1(a) == 3 && t2(a) == 3 && t3(a) == 2 && t4(a) == 7 && t5(a) == 9 && t6(a) == 2 && t7(inc) == 3);
  assert(r(a) == a && c1(1, a) == 1 + 7 + 0 + 1 && c2(a) == 7 + 7 + 8 + 1 && c3(b) == 5 + 5 + 2);
  assert(c4(ss) == 4 + 4 + 3);
  assert(c5(b, a) && c6(at) == 3 + 4);
  assert(c8(a) == 1 + 1 + 2);
  int z[3] = {5, 6, 0};
  assert(c9(z) == 6);
  assert(d1("hello") == 8 && d2("hi") == 3 && d3(a) && d4(a) == 4);
  int m[1][2] = {{1, 2}}; int *mp[2] = {m[0], 0};
  assert(d5(m[0], m, mp));
  void *vv[2] = {a, a}; assert(d6(vv));
  char q[2][4] = {"abc", "xyz"}; assert(d7(2, q) == 'x' + 4);
  assert(d8(z) == 1 + 1 + 6 + 6);
  int (*fs[2])(int) = {inc, inc}; assert(d9(fs) == 2 + 3 + 0 + 1);
  assert(th(b) && t8(b) == 9);
  return argv == 0 || (argv ? 0 : 1) || !argv || (envp && 0);
}
