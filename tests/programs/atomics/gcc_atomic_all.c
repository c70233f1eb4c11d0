// sley: reach=true race=true deadlock=true memory=true overflow=true
// Every __atomic builtin: what it returns and what it leaves.
#include <assert.h>
#include <stdbool.h>

unsigned int word = 12;
unsigned char flag;
long wide;
int *pointer, numbers[2];

int main(void)
{
    unsigned int value = 5, found;
    assert(__atomic_fetch_add(&word, 3, __ATOMIC_RELAXED) == 12);
    assert(__atomic_fetch_sub(&word, 1, __ATOMIC_CONSUME) == 15);
    assert(__atomic_fetch_and(&word, 6, __ATOMIC_ACQUIRE) == 14);
    assert(__atomic_fetch_or(&word, 9, __ATOMIC_RELEASE) == 6);
    assert(__atomic_fetch_xor(&word, 5, __ATOMIC_ACQ_REL) == 15);
    assert(__atomic_fetch_nand(&word, 3, __ATOMIC_SEQ_CST) == 10);
    assert(__atomic_add_fetch(&word, 4, __ATOMIC_SEQ_CST) == 1);
    assert(__atomic_sub_fetch(&word, 2, __ATOMIC_SEQ_CST) == ~0u);
    assert(__atomic_and_fetch(&word, 12, __ATOMIC_SEQ_CST) == 12);
    assert(__atomic_or_fetch(&word, 3, __ATOMIC_SEQ_CST) == 15);
    assert(__atomic_xor_fetch(&word, 5, __ATOMIC_SEQ_CST) == 10);
    assert(__atomic_nand_fetch(&word, 2, __ATOMIC_SEQ_CST) == ~2u);
    __atomic_store(&word, &value, __ATOMIC_RELEASE);
    __atomic_load(&word, &found, __ATOMIC_ACQUIRE);
    assert(found == 5);
    value = 6;
    __atomic_exchange(&word, &value, &found, __ATOMIC_SEQ_CST);
    assert(found == 5 && __atomic_load_n(&word, __ATOMIC_SEQ_CST) == 6);
    assert(__atomic_exchange_n(&word, 7, __ATOMIC_SEQ_CST) == 6);
    found = 1;
    assert(!__atomic_compare_exchange_n(&word, &found, 8, false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED) && found == 7);
    value = 9;
    assert(__atomic_compare_exchange(&word, &found, &value, false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED));
    assert(word == 9);
    assert(!__atomic_test_and_set(&flag, __ATOMIC_SEQ_CST) && __atomic_test_and_set(&flag, __ATOMIC_SEQ_CST));
    __atomic_clear(&flag, __ATOMIC_RELEASE);
    assert(!__atomic_load_n(&flag, __ATOMIC_RELAXED));
    __atomic_store_n(&wide, -1L, __ATOMIC_RELEASE);
    assert(__atomic_add_fetch(&wide, 1, __ATOMIC_SEQ_CST) == 0);
    __atomic_store_n(&pointer, numbers, __ATOMIC_RELEASE);
    assert(__atomic_fetch_add(&pointer, sizeof(int), __ATOMIC_SEQ_CST) == &numbers[0]);
    assert(__atomic_load_n(&pointer, __ATOMIC_SEQ_CST) == &numbers[1]);
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    assert(__atomic_always_lock_free(sizeof(int), 0));
    assert(__atomic_is_lock_free(sizeof(int), &word));
    return 0;
}
