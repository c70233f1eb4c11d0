// sley: reach=true race=true deadlock=true memory=true overflow=true
// An initialised flexible array member makes the object larger than its type (a GNU extension).
#include <assert.h>

struct message {
    unsigned length;
    short words[];
};

static struct message greeting = {3, {10, 20, 30}};
static struct message empty = {0};

int main(void)
{
    static struct message inner = {.length = 2, .words = {[1] = 7}};
    short sum = 0;
    for (unsigned i = 0; i < greeting.length; i++)
        sum += greeting.words[i];
    assert(sum == 60);
    inner.words[0] = 1;
    assert(inner.words[0] + inner.words[1] == 8 && empty.length == 0);
    return 0;
}
