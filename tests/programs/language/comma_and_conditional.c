// sley: reach=true race=true deadlock=true memory=true overflow=true
// The comma operator, conditionals without a middle, conditionals of structs, void and pointers.
#include <assert.h>

struct pair { int a, b; };
static int calls;

static int next(void) { return ++calls; }

int main(void)
{
    int x = (next(), next() + 10);
    assert(x == 12 && calls == 2);
    int y = next() ?: 99;
    assert(y == 3 && calls == 3);
    struct pair p = { 1, 2 }, q = { 3, 4 };
    assert((x ? p : q).b == 2 && (calls == 0 ? p : q).a == 3);
    x ? (void)next() : (void)0;
    assert(calls == 4);
    int *pointer = calls > 3 ? &x : 0;
    assert(*pointer == 12);
    for (int i = 0, j = 5; i < j; i++, j--)
        calls += i, calls++;
    assert(calls == 10);
    return 0;
}
