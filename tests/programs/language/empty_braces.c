// sley: reach=true race=true deadlock=true memory=true overflow=true
// Empty braces mean zero: of structs and arrays, and inside them.
#include <assert.h>

struct inner { int a; };
struct outer { struct inner i; int rest[2]; } global = {};
int numbers[3] = {};

int main(void)
{
    struct outer local = {};
    int row[2] = {}, braced = { 5 };
    struct outer list[2] = { {}, { {}, { 7 } } };
    static struct inner kept = {};
    assert(global.i.a == 0 && numbers[2] == 0 && local.rest[1] == 0 && row[1] == 0 && braced == 5);
    assert(list[0].rest[0] == 0 && list[1].rest[0] == 7 && list[1].rest[1] == 0 && kept.a == 0);
    return 0;
}
