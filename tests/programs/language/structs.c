// sley: reach=true race=true deadlock=true memory=true overflow=true
// Structs by value: assigned, passed, returned, nested, in arrays.
#include <assert.h>

struct point {
    int x, y;
};

struct box {
    struct point corner[2];
    char name;
};

static struct point moved(struct point p, int by)
{
    p.x += by;
    p.y += by;
    return p;
}

static int area(const struct box *b)
{
    return (b->corner[1].x - b->corner[0].x) * (b->corner[1].y - b->corner[0].y);
}

int main(void)
{
    struct point p = {1, 2};
    struct point q = moved(p, 3);
    assert(p.x == 1 && q.x == 4 && q.y == 5);
    struct box b = {.corner = {{0, 0}, {.y = 2, .x = 3}}, .name = 'b'};
    struct box c = b;
    c.corner[1] = moved(c.corner[1], 1);
    assert(area(&b) == 6 && area(&c) == 12 && c.name == 'b');
    struct box many[2] = {b, c};
    struct point *corner = many[1].corner;
    assert((corner + 1)->x == 4 && moved(*corner, 7).y == 7);
    return 0;
}
