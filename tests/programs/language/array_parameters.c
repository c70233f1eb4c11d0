// sley: reach=true race=true deadlock=true memory=true overflow=true
// A parameter declared as an array is a pointer, wherever it stands.
#include <assert.h>
#include <stddef.h>

struct pair {
    int x, y;
};

static int is_null(int v[4]) { return v == 0; }
static int is_not_null(int v[static 2]) { return v != NULL; }
static int negated(int v[const]) { return !v; }
static int both(int v[4], int w[4]) { return v && w; }
static int either(int v[4], int w[4]) { return v || w; }
static int *chosen(int v[4]) { return v ? v : 0; }
static int member(struct pair v[]) { return v->y + v[1].x + (*v).x; }
static int size(int v[16]) { return sizeof v == sizeof(int *) && sizeof *v == sizeof(int); }
static int moved(int v[4]) { v++; ++v; v += 1; v--; v = v + 1; v -= 1; return *v; }
static int taken(int v[4]) { int **where = &v; return (*where)[1]; }
static int distance(int v[4], int w[4]) { return w - v; }
static int ordered(int v[4], int w[4]) { return v < w && v <= w && !(v > w) && w >= v; }
static int assigned(int v[4], int w[4]) { v = w; return v == w; }
static int condition(int v[4])
{
    int count = 0;
    if (v)
        count++;
    while (v) {
        count++;
        v = 0;
    }
    do
        count++;
    while (v);
    for (; v;)
        count++;
    return count;
}
static int rows(int v[2][3]) { return v == 0 ? 0 : (*v)[1] + v[1][2] + (sizeof *v == 3 * sizeof(int)); }
static int variable(int n, int v[n]) { return v == 0 ? n : v[n - 1]; }
static int variable_rows(int n, int v[][n]) { return v ? v[1][0] : (int)sizeof *v; }
static int called(int f(int v[4]), int v[4]) { return f == 0 ? 2 : (*f)(v) + f(v) + (f ? 0 : 1) + !f; }
static int cast(int v[4]) { return (size_t)v != 0 && (_Bool)v && ((void *)v == v); }
static _Bool converted(int v[4]) { _Bool b = v; return b; }

static int old(v, n)
    int v[];
    int n;
{
    return v == 0 ? n : v[n];
}

int main(int argc, char *argv[])
{
    int a[4] = {1, 2, 3, 4}, matrix[2][3] = {{1, 2, 3}, {4, 5, 6}};
    struct pair pairs[2] = {{1, 2}, {3, 4}};
    assert(!is_null(a) && is_null(0) && is_not_null(a) && !negated(a) && negated(0));
    assert(both(a, a) && !both(a, 0) && either(0, a) && !either(0, 0));
    assert(chosen(a) == a && chosen(0) == 0);
    assert(member(pairs) == 6);
    assert(size(a) && moved(a) == 3 && taken(a) == 2);
    assert(distance(a, a + 3) == 3 && ordered(a, a + 1) && assigned(a, a + 1));
    assert(condition(a) == 3 && condition(0) == 1);
    assert(rows(matrix) == 9 && rows(0) == 0);
    assert(variable(4, a) == 4 && variable(4, 0) == 4 && variable_rows(3, matrix) == 4);
    assert(called(is_null, a) == 0 && called(0, a) == 2 && cast(a) && converted(a) && !converted(0));
    assert(old(a, 1) == 2 && old((int *)0, 5) == 5);
    return argv == 0;
}
