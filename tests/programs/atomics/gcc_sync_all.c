// sley: reach=true race=true deadlock=true memory=true overflow=true
// Every __sync builtin: what it returns and what it leaves.
#include <assert.h>

unsigned int word = 12;
long wide;
char small;

int main(void)
{
    assert(__sync_fetch_and_add(&word, 3) == 12);
    assert(__sync_fetch_and_sub(&word, 1) == 15);
    assert(__sync_fetch_and_and(&word, 6) == 14);
    assert(__sync_fetch_and_or(&word, 9) == 6);
    assert(__sync_fetch_and_xor(&word, 5) == 15);
    assert(__sync_fetch_and_nand(&word, 3) == 10);
    assert(__sync_add_and_fetch(&word, 4) == 1);
    assert(__sync_sub_and_fetch(&word, 2) == ~0u);
    assert(__sync_and_and_fetch(&word, 12) == 12);
    assert(__sync_or_and_fetch(&word, 3) == 15);
    assert(__sync_xor_and_fetch(&word, 5) == 10);
    assert(__sync_nand_and_fetch(&word, 2) == ~2u);
    assert(!__sync_bool_compare_and_swap(&word, 1, 2));
    assert(__sync_bool_compare_and_swap(&word, ~2u, 2));
    assert(__sync_val_compare_and_swap(&word, 5, 6) == 2);
    assert(__sync_val_compare_and_swap(&word, 2, 6) == 2 && word == 6);
    assert(__sync_lock_test_and_set(&word, 1) == 6);
    __sync_lock_release(&word);
    assert(word == 0);
    assert(__sync_add_and_fetch(&wide, -1L) == -1);
    assert(__sync_fetch_and_add(&small, 127) == 0 && __sync_add_and_fetch(&small, 1) == -128);
    __sync_synchronize();
    return 0;
}
