// sley: reach=false race=true deadlock=true memory=true overflow=true
// Retries are counted in a bit-field of three bits, where the eighth is none.
#include <assert.h>
#include <stdbool.h>

struct request {
    unsigned open : 1;
    unsigned retries : 3;
    unsigned length : 12;
};

static bool retry(struct request *r)
{
    if (r->retries >= 8)
        return false;
    r->retries++;
    return true;
}

int main(void)
{
    struct request r = {.open = 1, .length = 4095};
    int tries = 0;
    while (tries < 20 && retry(&r))
        tries++;
    assert(r.length == 4095 && r.open);
    assert(tries == 8);
    return 0;
}
