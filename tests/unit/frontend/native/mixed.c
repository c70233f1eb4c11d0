// Corners where conversions, effects and objects meet.
#include "values.h"
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum level { LOW = -2, MIDDLE, HIGH = 7 };
typedef struct pair { int left, right; } pair;
typedef struct { pair pairs[2]; union { long whole; struct { int low, high; } halves; } u; } box;
struct table { const char *name; int (*run)(int, int); enum level level; };

static int plus(int a, int b) { return a + b; }
static int minus(int a, int b) { return a - b; }
static const struct table TABLE[] = { { "plus", plus, LOW }, { "minus", minus, HIGH }, { 0 } };
static int order[8], orders;
int g = 10, *const gp = &g;
unsigned char wrap = 250;
pair gpair = { 1, 2 };

static int mark(int value) { order[orders++] = value; return value; }
static pair swapped(pair p) { return (pair){ p.right, p.left }; }
static int sum(const int (*rows)[3], int count)
{
    int s = 0;
    for (int i = 0; i < count; i++)
        for (int j = 0; j < 3; j++)
            s += rows[i][j] * (i + 1);
    return s;
}
static int through(const pair *p) { return p->left * 10 + p->right; }
static int depth(int n, int *above)
{
    int here = n;
    if (above)
        here += *above;
    return n == 0 ? here : depth(n - 1, &here);
}
static int lookup(const char *name)
{
    for (const struct table *t = TABLE; t->name; t++)
        if (strcmp(t->name, name) == 0)
            return t->run(9, 4) + t->level;
    return -1;
}
static int size_of_parameter(int a[10]) { return sizeof a == sizeof(int *); }
static int local_table(int n)
{
    static const char *const names[] = { "zero", "one", "two" };
    const char letters[3][2] = { "a", "b", "c" };
    return names[n][1] + letters[n][0];
}
static int skip_to(int n)
{
    int r = 0;
    switch (n) {
        int passed;
    case 1:
        passed = 5;
        r = passed;
        break;
    default:
        r = 9;
    case HIGH:
        r++;
    }
    return r;
}
#define TWICE(statement) do { statement; statement; } while (0)

int main(void)
{
    int i = 2;
    i += 1.75; VALUE(i);
    unsigned short us = 3; us -= 70000; VALUE(us);
    char c = 70; c <<= 1; VALUE(c); c /= -3; VALUE(c);
    _Bool b = 1; b ^= 1; VALUE(b); b |= 256; VALUE(b); b = b && !b; VALUE(b);
    long long big = 1; big <<= 40; big |= 0xff; VALUE(big); big >>= 4; VALUE(big); big = -big; VALUE(big % 1000);
    unsigned u = -1; VALUE(u); VALUE(u > -1L); VALUE(u == -1); VALUE((long)u); VALUE((short)u); VALUE(-1 / 2u);
    VALUE('\377' < 0); VALUE((unsigned char)'\377'); VALUE("\x7f\101\n"[1]); VALUE(sizeof "a\0b"); VALUE('ab' != 0);
    float f = 3; f *= 1.5; i = f; VALUE(i); i = -f; VALUE(i); VALUE((unsigned char)f); VALUE(f == 4.5); VALUE(7 / 2 * 2.0 == 6);
    VALUE(LOW + MIDDLE + HIGH); enum level level = MIDDLE; VALUE(level < 0); level++; VALUE(level == 0);
    while (wrap++ != 3) ;
    VALUE(wrap);
    VALUE(mark(1) + mark(2) * mark(3)); VALUE(order[0] * 100 + order[1] * 10 + order[2]);
    orders = 0; VALUE(mark(0) || mark(5) || mark(6)); VALUE(orders); VALUE((mark(1), mark(2)) ? 4 : mark(3)); VALUE(orders);
    int a[4] = { 1, 2, 3, 4 }, d[4], *p = a, *q = d;
    for (int n = 4; n--;) *q++ = *p++ * 2;
    VALUE(d[0] + d[3]); VALUE(q - d); VALUE(p == a + 4); VALUE(*--q); VALUE(q[-1]); VALUE((-1)[q]);
    i = 0; a[i++] = a[2]; VALUE(a[0]); VALUE(i); d[i] = 4; VALUE(d[1]);
    p = a; p += 2; VALUE(*p); p -= 1; VALUE(p[1]); VALUE(*p++ * 2); VALUE(++*p); VALUE((*p)++); VALUE(*p); VALUE(&p[2] - a);
    VALUE((char *)p - (char *)a); VALUE(((long)&a[1] & 3) == 0); VALUE(*&*&a[2]); VALUE(&a[1] > &a[0]); VALUE(!&a);
    int three[2][3] = { { 1, 2, 3 }, { 4, 5, 6 } }; VALUE(sum(three, 2)); VALUE(*three[1]); VALUE(**three); VALUE((*(three + 1))[2]);
    pair x = { 3, 4 }, y = swapped(x); VALUE(y.left * 10 + y.right); VALUE(swapped(swapped(x)).left); VALUE(through(&x)); VALUE(through(&(pair){ 5, 6 }));
    x = y = swapped((pair){ .right = 8 }); VALUE(x.left); VALUE(y.right); gpair = x; VALUE(gpair.left + gpair.right); pair *px = &gpair; *px = (pair){ 1 }; VALUE(gpair.right);
    VALUE((i ? x : y).left); VALUE(({ pair t = x; t.left++; t; }).left); VALUE(x.left);
    box w = { { { 1, 2 }, { 3 } }, { .halves = { 5, 6 } } }; VALUE(w.pairs[1].left); VALUE(w.u.whole); w.u.halves.high = 0; VALUE(w.u.whole); box w2 = w; w2.pairs[0] = w.pairs[1]; VALUE(w2.pairs[0].left); VALUE(w.pairs[0].left); VALUE(offsetof(box, u.halves.high));
    VALUE(depth(4, NULL)); VALUE(lookup("minus")); VALUE(lookup("plus")); VALUE(lookup("none")); VALUE(size_of_parameter(a)); VALUE(local_table(1)); VALUE(skip_to(1)); VALUE(skip_to(2)); VALUE(skip_to(7));
    i = 0; TWICE(i += 3); VALUE(i); if (i) TWICE(i--); else i = 50; VALUE(i);
    { extern int g; VALUE(g); int declared(int); VALUE(declared(4)); } *gp = 3; VALUE(g); VALUE(*gp * *gp);
    int *heap = calloc(3, sizeof *heap), **pp = &heap; (*pp)[1] = 5; heap[2] = (*pp)[1]++ + heap[0]; VALUE(heap[1] * 10 + heap[2]); free(*pp);
    pair *list = malloc(2 * sizeof(pair)); list[0] = x; list[1].left = list->left; list[1].right = 2; memcpy(&list[0], &list[1], sizeof *list); VALUE(list->right); memset(list, 0xff, sizeof(pair)); VALUE(list->left); memmove(list + 1, list, sizeof(pair)); VALUE(list[1].right); free(list);
    int (*op)(int, int) = i > 0 ? plus : minus, (*ops[2])(int, int) = { minus, op }; VALUE(op(1, 2)); VALUE(ops[0](1, 2) + (*ops[1])(3, 4)); VALUE(op == plus); VALUE(ops[0] != op);
    unsigned long mask = ~0UL >> 3; VALUE(mask); VALUE(mask & (1UL << 60)); VALUE((int)(mask >> 30)); VALUE(1u << 31 >> 31); VALUE(-8 >> 1); VALUE((-7) % 3); VALUE(-7 / 2); VALUE(7u % -3);
    i = 5; int j = i++ * 2; VALUE(j); j = (i--, i-- - 2); VALUE(j * 10 + i); i = 3; VALUE(-i + +i - -i); VALUE(!i == 0 && ~i == -4);
    volatile int v = 4; v = v * v; VALUE(v); const int k = v / 3; VALUE(k); register char r = 'r'; VALUE(r++); VALUE(r);
    return 0;
}

int declared(int x) { return x * x; }
