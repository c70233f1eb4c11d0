// sley: reach=true race=true deadlock=true memory=true overflow=true
// Functions that return functions, compound literals as initialisers of globals, empty structs, qualified choices.
#include <assert.h>

struct inner { int a, b[2]; };
struct outer { char c; struct inner i; int z; } global = { 1, (struct inner){ 2, { 3, 4 } }, 5 };
struct inner rows[] = { (struct inner){ .b = { 7 } }, { 8 } };
typedef struct {} nothing;
struct { char a; nothing x; char b; } around = { 1, (nothing){}, 3 };

static int subtract(int c, int b) { return c - b; }
static int (*choose(int a, int b))(int c, int d) { return a != b ? subtract : 0; }
static int apply(int (*f)(int x, int y), int x) { return f(x, 1); }
static int plain(void) { return 1; }
static int qualified(void) { return 2; }
const int constant = 0;

int main(void)
{
    assert(global.i.b[1] == 4 && global.z == 5 && rows[0].b[0] == 7 && rows[1].a == 8 && around.b == 3);
    assert(choose(0, 2)(7, 2) == 5 && apply(subtract, 4) == 3);
    assert(_Generic(constant, int: plain, const int: qualified)() == 1);
    assert(_Generic(&constant, int *: plain(), const int *: qualified(), default: 5) == 2);
    int *const pointer = 0;
    assert(_Generic(pointer, int *: plain(), int *const: qualified(), default: 5) == 1);
    return 0;
}
