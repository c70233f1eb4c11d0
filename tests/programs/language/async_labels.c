// sley: reach=true race=true deadlock=true memory=true overflow=true
// CBMC's way to start threads: a label whose statement runs on its own, with copies of local variables.
#include <assert.h>
#include <stdatomic.h>

atomic_int sum, done;

static void add(int amount)
{
    atomic_fetch_add(&sum, amount);
    atomic_fetch_add(&done, 1);
}

int main(void)
{
    int amount = 2;
__CPROVER_ASYNC_1:
    add(amount);
    amount = 5;
__CPROVER_ASYNC_2: {
        int twice = 2 * amount;
        for (int i = 0; i < 2; i++)
            atomic_fetch_add(&sum, twice);
        amount = 100;
        atomic_fetch_add(&done, 1);
    }
    while (atomic_load(&done) != 2)
        ;
    assert(sum == 22 && amount == 5);
    return 0;
}
