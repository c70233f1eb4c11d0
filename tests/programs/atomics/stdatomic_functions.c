// sley: reach=true race=true deadlock=true memory=true overflow=true
// The functions of <stdatomic.h>: old values come back, a failed compare-exchange reports what it found.
#include <assert.h>
#include <stdatomic.h>

atomic_int number;
atomic_uint bits = 12;
atomic_bool is_set;
_Atomic(int *) pointer;
int cells[2] = {7, 8};

int main(void)
{
    atomic_init(&number, 3);
    assert(atomic_load(&number) == 3);
    atomic_store(&number, 4);
    assert(atomic_exchange(&number, 9) == 4);
    assert(atomic_fetch_add(&number, 5) == 9);
    assert(atomic_fetch_sub(&number, 4) == 14);
    assert(atomic_fetch_or(&bits, 3) == 12);
    assert(atomic_fetch_and(&bits, 9) == 15);
    assert(atomic_fetch_xor(&bits, 1) == 9);
    assert(bits == 8);
    int expected = 1;
    assert(!atomic_compare_exchange_strong(&number, &expected, 2));
    assert(expected == 10 && number == 10);
    assert(atomic_compare_exchange_strong_explicit(&number, &expected, 2, memory_order_acq_rel, memory_order_relaxed));
    assert(expected == 10 && number == 2);
    atomic_store_explicit(&is_set, 2, memory_order_release);
    assert(is_set == 1);
    atomic_store(&pointer, cells);
    assert(atomic_exchange(&pointer, &cells[1]) == cells);
    assert(*atomic_load(&pointer) == 8);
    atomic_thread_fence(memory_order_seq_cst);
    return 0;
}
