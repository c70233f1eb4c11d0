// sley: reach=true race=true deadlock=true memory=true overflow=true
// Atomic operations on a local that nobody else knows.
#include <assert.h>
#include <stdatomic.h>

static int next(atomic_int *counter) { return atomic_fetch_add(counter, 2); }

int main(void)
{
    atomic_int counter = 3;
    int expected = 4;
    assert(next(&counter) == 3);
    assert(!atomic_compare_exchange_strong(&counter, &expected, 9));
    assert(expected == 5);
    assert(atomic_compare_exchange_strong(&counter, &expected, 9));
    assert(counter == 9);
}
