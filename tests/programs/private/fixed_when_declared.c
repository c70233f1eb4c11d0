// sley: reach=true race=true deadlock=true memory=true overflow=true
// Nobody knows what is in a local that was not set, but it stays the same.
#include <assert.h>

static int get(const int *place) { return *place; }

int main(void)
{
    int local;
    assert(get(&local) == get(&local));
}
