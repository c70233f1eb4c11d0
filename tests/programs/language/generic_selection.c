// sley: reach=true race=true deadlock=true memory=true overflow=true
// Selection by type, also among expressions of one type; choices that the compiler makes.
#include <assert.h>
#include <stddef.h>

typedef unsigned long word;
struct node { int value; };
enum colour { RED };

static int calls;
static int one(void) { calls++; return 1; }
static int two(void) { calls++; return 2; }
static int many(void) { calls++; return 9; }

#define SIZE(x) _Generic((x), int: one(), word: two(), struct node: 3 * one(), char *: two() + 2, default: many())
#define NAME(x) _Generic((x), float: "f", double: "d", const int *: "p", default: "?")

int main(void)
{
    int i = 0;
    const long c = 1;
    word w = 2;
    struct node n = { 0 };
    char text[3] = "ab";
    assert(SIZE(i) == 1 && SIZE(w) == 2 && SIZE(n) == 3 && SIZE(text) == 4 && SIZE(c) == 9 && SIZE(1.0) == 9);
    assert(calls == 6);
    const int *p = &i;
    assert(NAME(1.0f)[0] == 'f' && NAME(1.0)[0] == 'd' && NAME(p)[0] == 'p' && NAME(&i)[0] == '?');
    assert(__builtin_choose_expr(sizeof(w) == sizeof(void *), i, text[0]) == 0);
    assert(__builtin_types_compatible_p(word, unsigned long) && !__builtin_types_compatible_p(int, long));
    assert(__builtin_offsetof(struct node, value) == 0 && __builtin_expect_with_probability(i, 1, 0.9) == 0);
    _Static_assert(_Generic(RED, int: 1, default: 0), "members of an enumeration are ints");
    return 0;
}
