// Pointers, arrays, structs, strings, initialisers and calls.
#include "values.h"
#include <stdlib.h>
#include <string.h>
#include <stddef.h>
struct p { int x; char c; struct { short a, b; } in; int *q; int arr[3]; };
struct p g = { 1, 'c', { 2, 3 }, 0, { 4, 5, 6 } };
struct p h = { .c = 'd', .arr = { [2] = 9, 1 > 0 ? 7 : 8 }, .in.b = 12 };
struct p *gp = &h; int *ip = &g.arr[1]; int (*fp)(int); 
int m[2][3] = { {1,2,3}, {4,5,6} };
int m2[2][3] = { 1, 2, 3, 4 };
int m3[] = { [3] = 1, 2, [1] = 5 };
int m4[10] = { [2 ... 4] = 7, 8 };
int m5[3][2] = { [1][1] = 3, 4, [0] = {1} };
char str[] = "hello";
char *cs = "wor\tld\x41\101";
char s2[8] = "abc";
char s3[3] = "xyz";
char *names[] = { "a", "bb", "ccc" };
union u { int i; char c[4]; short s; } un = { 0x01020304 }; union u un2 = { .c = {1,2} };
struct list { struct list *next; int v; } n3 = { 0, 3 }, n2 = { &n3, 2 }, n1 = { &n2, 1 };
static int sq(int x) { return x * x; }
static int tw(int x) { return 2 * x; }
int (*tab[])(int) = { sq, tw, &sq };
int apply(int (*f)(int), int v) { return f(v); }
struct pt { int x, y; };
struct pt mk(int x, int y) { struct pt r = { x, y }; return r; }
int sum(struct pt a, struct pt b) { a.x += b.x; return a.x * 100 + a.y + b.y; }
void swap(int *a, int *b) { int t = *a; *a = *b; *b = t; }
int cnt(void) { static int n = 5; return n++; }
int fact(int n) { return n <= 1 ? 1 : n * fact(n - 1); }
int main(void) {
    VALUE(g.x + g.c + g.in.a + g.in.b + g.arr[2]); VALUE(h.arr[0]); VALUE(h.arr[1]); VALUE(h.arr[2]);
    VALUE(h.in.b); VALUE(h.c); VALUE(gp->arr[2]); VALUE(*ip); VALUE(ip[1]); VALUE(ip - g.arr);
    VALUE(m[1][2]); VALUE(m2[1][0]); VALUE(m2[1][1]); VALUE(sizeof m3 / sizeof *m3); VALUE(m3[1]);
    VALUE(m3[2]); VALUE(m3[3]); VALUE(m3[4]); VALUE(m4[1]); VALUE(m4[2]); VALUE(m4[4]); VALUE(m4[5]);
    VALUE(m4[6]); VALUE(m5[0][0]); VALUE(m5[1][1]); VALUE(m5[2][0]); VALUE(m5[1][0]); VALUE(sizeof str);
    VALUE(str[4]); VALUE(cs[3]); VALUE(cs[6]); VALUE(cs[7]); VALUE(s2[3]); VALUE(s2[7]); VALUE(s3[2]);
    VALUE(names[1][1]); VALUE(names[2][3]); VALUE(un.i); VALUE(un2.c[1]); VALUE(n1.next->next->v);
    int t = 0; for (struct list *p = &n1; p; p = p->next) t += p->v; VALUE(t); VALUE(apply(sq, 5));
    VALUE(tab[1](4)); VALUE((*tab[2])(3)); fp = tw; VALUE(fp(8)); VALUE((fp == tw)); VALUE(fp != 0);
    VALUE((**fp)(2)); struct pt a = mk(1, 2), b; b = a; b.x = 7; VALUE(sum(a, b)); VALUE(a.x);
    VALUE(mk(5, 6).y); struct pt *pa = &a; *pa = mk(8, 9); VALUE(a.x);
    VALUE(sum(mk(1,2), (struct pt){3, 4})); struct pt arr[3] = { {1}, {2, 3} }; arr[2] = arr[1];
    VALUE(arr[2].y + arr[0].y + arr[0].x); int x = 1, y = 2; swap(&x, &y); VALUE(x * 10 + y); VALUE(cnt());
    VALUE(cnt()); VALUE(cnt()); VALUE(fact(6)); int *d = malloc(4 * sizeof(int));
    for (int i = 0; i < 4; i++) d[i] = i * i; VALUE(d[3]); VALUE(*(d + 2)); VALUE(2[d]); int *e = d + 4;
    VALUE(e - d); VALUE(*--e); VALUE(*e--); VALUE(e > d); free(d); struct list *z = calloc(2, sizeof *z);
    VALUE(z[1].v); VALUE(z[1].next == NULL); z->next = &z[1]; z->next->v = 4; VALUE(z[1].v); free(z);
    char buf[10]; strcpy(buf, "abc"); strcat(buf, "de"); VALUE(strlen(buf)); VALUE(strcmp(buf, "abcde"));
    VALUE(buf[3]); memset(buf, 1, 3); VALUE(buf[2]); VALUE(buf[3]); memcpy(buf, "zz", 2); VALUE(buf[1]);
    char *w = buf; *w++ = 'q'; *w++ = 'r'; VALUE(buf[0]); VALUE(buf[1]); VALUE(w - buf);
    VALUE(offsetof(struct p, arr)); VALUE(&((struct p *)0)->in.b == (void*)offsetof(struct p, in.b));
    struct p *back = (struct p *)((char *)&g.q - offsetof(struct p, q)); VALUE(back == &g); VALUE(back->x);
    int (*rows)[3] = m; VALUE(rows[1][1]); VALUE((*rows)[2]); rows++; VALUE((*rows)[0]);
    VALUE(*(*(m + 1) + 2)); int loc[2][2] = { {1, 2}, {3, 4} }; int s = 0;
    for (int i = 0; i < 2; ++i) for (int j = 0; j < 2; ++j) s = s * 10 + loc[i][j]; VALUE(s);
    const char *q = "static"; VALUE(q[0]); VALUE(*"xyz"); VALUE("abc"[1]); VALUE(sizeof("abc"));
    VALUE(q == 0); void *v = &x; VALUE(*(int *)v); long addr = (long)v; VALUE(*(int *)addr);
    VALUE((long)&x % 4); int *np = 0; VALUE(np == 0); VALUE(!np); VALUE(np ? 1 : 2); int **pp = &np;
    *pp = &y; VALUE(*np); VALUE(**pp); int neg = -1; VALUE((&loc[1][0])[neg]); unsigned idx = 1;
    VALUE(loc[0][idx]); return 0; }
