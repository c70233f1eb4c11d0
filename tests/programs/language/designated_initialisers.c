// sley: reach=true race=true deadlock=true memory=true overflow=true
// Designated initialisers, nested, out of order, with ranges and overrides, at file scope and in a block.
#include <assert.h>

struct point { int x, y; };
struct shape {
    const char *name;
    struct point corners[3];
    union { int id; char tag[4]; } key;
};

struct shape global = { .corners[1] = { .y = 4 }, .corners[2].x = 5, .name = "t", .key.tag = { 1, 0, 0, 0 } };
int table[8] = { [2 ... 4] = 7, [3] = 9, 1 };
int grid[][2] = { { 1, 2 }, [3] = { [1] = 8 } };
static int (*operations[2])(void);

int main(void)
{
    assert(global.corners[0].x == 0 && global.corners[1].x == 0 && global.corners[1].y == 4);
    assert(global.corners[2].x == 5 && global.name[0] == 't' && global.key.id == 1);
    assert(table[1] == 0 && table[2] == 7 && table[3] == 9 && table[4] == 1 && table[5] == 0);
    assert(sizeof grid / sizeof grid[0] == 4 && grid[0][1] == 2 && grid[3][0] == 0 && grid[3][1] == 8);
    assert(operations[0] == 0 && operations[1] == 0);
    int base = 3;
    struct shape local = { .key = { .id = base }, .corners = { { base, base + 1 }, [2] = { .y = base * 2 } } };
    assert(local.name == 0 && local.key.tag[0] == 3 && local.corners[0].y == 4 && local.corners[1].x == 0);
    assert(local.corners[2].x == 0 && local.corners[2].y == 6);
    return 0;
}
