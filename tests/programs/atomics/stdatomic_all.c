// sley: reach=true race=true deadlock=true memory=true overflow=true
// The rest of <stdatomic.h>: explicit orders, flags, pointers, types of all sizes.
#include <assert.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

atomic_flag flag = ATOMIC_FLAG_INIT;
atomic_uint word = 12;
atomic_llong wide;
atomic_schar small;
atomic_bool truth;
_Atomic(int *) pointer;
atomic_uintptr_t address;
int numbers[3];

int main(void)
{
    unsigned int found = 1;
    assert(atomic_fetch_add_explicit(&word, 3, memory_order_relaxed) == 12);
    assert(atomic_fetch_sub_explicit(&word, 1, memory_order_consume) == 15);
    assert(atomic_fetch_and_explicit(&word, 6, memory_order_acquire) == 14);
    assert(atomic_fetch_or_explicit(&word, 9, memory_order_release) == 6);
    assert(atomic_fetch_xor_explicit(&word, 5, memory_order_acq_rel) == 15);
    assert(atomic_exchange_explicit(&word, 7, memory_order_seq_cst) == 10);
    assert(!atomic_compare_exchange_strong_explicit(&word, &found, 8, memory_order_seq_cst, memory_order_relaxed));
    assert(found == 7);
    while (!atomic_compare_exchange_weak_explicit(&word, &found, 8, memory_order_release, memory_order_relaxed))
        assert(found == 7);
    atomic_store_explicit(&word, 9, memory_order_release);
    assert(atomic_load_explicit(&word, memory_order_acquire) == 9);
    assert(!atomic_flag_test_and_set(&flag) && atomic_flag_test_and_set_explicit(&flag, memory_order_acquire));
    atomic_flag_clear(&flag);
    assert(!atomic_flag_test_and_set(&flag));
    atomic_flag_clear_explicit(&flag, memory_order_release);
    atomic_init(&wide, 1LL << 40);
    assert(atomic_fetch_add(&wide, 1) == 1LL << 40);
    atomic_store(&small, 127);
    assert(atomic_fetch_add(&small, 1) == 127 && atomic_load(&small) == -128);
    atomic_store(&truth, true);
    assert(atomic_exchange(&truth, false) && !atomic_load(&truth));
    atomic_store(&pointer, numbers);
    assert(atomic_fetch_add(&pointer, 2) == numbers && atomic_fetch_sub(&pointer, 1) == numbers + 2);
    assert(atomic_load(&pointer) == &numbers[1]);
    atomic_store(&address, (uintptr_t)&numbers[2]);
    assert((int *)atomic_load(&address) == &numbers[2]);
    atomic_thread_fence(memory_order_acq_rel);
    atomic_signal_fence(memory_order_seq_cst);
    assert(kill_dependency(found) == found);
    assert(atomic_is_lock_free(&word) && ATOMIC_INT_LOCK_FREE == 2);
    return 0;
}
