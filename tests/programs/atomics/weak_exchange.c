// sley: reach=false race=true deadlock=true memory=true overflow=true
// A weak compare-exchange may fail although the value is the expected one.
#include <assert.h>
#include <stdatomic.h>

atomic_int number = 1;

int main(void)
{
    int expected = 1;
    assert(atomic_compare_exchange_weak(&number, &expected, 2));
    return 0;
}
