// sley: reach=true race=true deadlock=true memory=true overflow=true
// Objects of many shapes come to life in an order that depends on the way taken.
#include <assert.h>

struct pair { int first; char second; };
struct triple { long a; struct pair b; short c[2]; };

static int sum(int which)
{
    if (which == 0) {
        struct pair p = {1, 2};
        struct pair *q = &p;
        return q->first + q->second;
    }
    if (which == 1) {
        struct triple t = {1, {2, 3}, {4, 5}};
        struct triple *u = &t;
        return (int)u->a + u->b.first + u->c[1];
    }
    short row[3] = {1, 2, 3};
    short *end = row + 3;
    return end[-1];
}

int main(void)
{
    int total = 0;
    for (int i = 2; i >= 0; i--)
        total += sum(i);
    assert(total == 3 + 8 + 3);
    return 0;
}
