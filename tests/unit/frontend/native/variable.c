// Arrays of variable length, variable arguments, computed gotos, long double.
#include "values.h"
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
struct three { int a; char b; long c; };
static long sum(int n, ...)
{
    va_list v, w; va_start(v, n); va_copy(w, v); long r = 0;
    for (int i = 0; i < n; i++) r = r * 10 + va_arg(v, int);
    for (int i = 0; i < n / 2; i++) r += va_arg(w, int);
    va_end(w); va_end(v); return r;
}
static long from(const char *kinds, va_list v)
{
    long r = 0;
    for (; *kinds; kinds++) {
        r *= 7;
        switch (*kinds) {
        case 'i': r += va_arg(v, int); break;
        case 'u': r += va_arg(v, unsigned); break;
        case 'l': r += va_arg(v, long); break;
        case 'd': r += (long)(va_arg(v, double) * 4); break;
        case 'D': r += (long)(va_arg(v, long double) * 8); break;
        case 's': r += strlen(va_arg(v, const char *)); break;
        case 't': { struct three t = va_arg(v, struct three); r += t.a + t.b + t.c; break; }
        }
    }
    return r;
}
static long typed(const char *kinds, ...)
{
    va_list v; va_start(v, kinds); long r = from(kinds, v); va_end(v); return r;
}
static int dot(int n, int m, int a[n][m], int b[m][n])
{
    int r = 0;
    for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) r += a[i][j] * b[j][i];
    return r + sizeof a[0] + sizeof b[0];
}
static int vla(int n)
{
    short t[n][n + 1][2]; int r = 0;
    for (int i = 0; i < n; i++) for (int j = 0; j <= n; j++) t[i][j][0] = i, t[i][j][1] = j;
    short (*row)[n + 1][2] = t + (n - 1); short *flat = &t[0][0][0];
    for (unsigned i = 0; i < sizeof t / sizeof *flat; i++) r = (r * 3 + flat[i]) % 10007;
    return r + row[0][1][1] + (&t[n - 1] - t) * 100 + sizeof t + sizeof *t + sizeof **t;
}
static int interpret(const char *p)
{
    static void *const ops[] = { &&end, &&add, &&twice, &&back }; int a = 0, left = 2;
    const char *start = p;
#define NEXT goto *ops[(int)*p++]
    NEXT;
add: a += *p++; NEXT;
twice: { int k[2] = { a, a }; a = k[0] + k[1]; NEXT; }
back: if (left-- > 0) p = start; NEXT;
end: return a;
}
int main(void)
{
    VALUE(sum(0)); VALUE(sum(1, 5)); VALUE(sum(4, 1, 2, 3, 4)); char c = -3; short s = 7; VALUE(sum(2, c, s));
    struct three t = { 1, 2, 3 }; float f = 1.25f;
    VALUE(typed("i", -4)); VALUE(typed("ul", 4000000000u, -5L)); VALUE(typed("df", 2.5)); VALUE(typed("d", f));
    VALUE(typed("its", 3, t, "four")); VALUE(typed("tDt", t, 1.5L, t)); VALUE(typed("sil", "", 'a', 1L << 40));
    long (*typed_pointer)(const char *, ...) = typed; VALUE(typed_pointer("ii", 1, 2));
    int a[2][3] = { { 1, 2, 3 }, { 4, 5, 6 } }, b[3][2] = { { 1, 2 }, { 3, 4 }, { 5, 6 } };
    VALUE(dot(2, 3, a, b)); VALUE(dot(3, 2, b, a)); VALUE(vla(1)); VALUE(vla(2)); VALUE(vla(3));
    int lengths = 0;
    for (int n = 1; n < 4; n++) { char text[n + 1]; memset(text, 'x', n); text[n] = 0; lengths += strlen(text); }
    VALUE(lengths);
    VALUE(interpret((char[]){ 1, 5, 2, 1, 1, 0 })); VALUE(interpret((char[]){ 1, 1, 2, 3, 0 }));
    long double x = 1.5L; x *= 2; x += f; VALUE(x * 4); VALUE(x > 4.2L); VALUE((float)x == 4.25f);
    VALUE((int)-x); VALUE(sizeof x); VALUE(!x); x--; VALUE((unsigned char)x); VALUE(x == 3.25);
    return 0;
}
