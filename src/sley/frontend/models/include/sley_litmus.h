// What litmus tests in C may use. As herd has it, `*x` is never atomic, whatever the type says, and so locations
// are plain objects; what is atomic is said by the functions.
#include <pthread.h>
#include <stdint.h>

typedef int atomic_int;
typedef long atomic_long;
typedef unsigned atomic_uint;
typedef _Bool atomic_bool;

enum {
    memory_order_relaxed = __ATOMIC_RELAXED,
    memory_order_consume = __ATOMIC_CONSUME,
    memory_order_acquire = __ATOMIC_ACQUIRE,
    memory_order_release = __ATOMIC_RELEASE,
    memory_order_acq_rel = __ATOMIC_ACQ_REL,
    memory_order_seq_cst = __ATOMIC_SEQ_CST,
};

#define atomic_load_explicit __atomic_load_n
#define atomic_load(place) __atomic_load_n(place, __ATOMIC_SEQ_CST)
#define atomic_store_explicit __atomic_store_n
#define atomic_store(place, value) __atomic_store_n(place, value, __ATOMIC_SEQ_CST)
#define atomic_exchange_explicit __atomic_exchange_n
#define atomic_exchange(place, value) __atomic_exchange_n(place, value, __ATOMIC_SEQ_CST)
#define atomic_fetch_add_explicit __atomic_fetch_add
#define atomic_fetch_add(place, value) __atomic_fetch_add(place, value, __ATOMIC_SEQ_CST)
#define atomic_fetch_sub_explicit __atomic_fetch_sub
#define atomic_fetch_sub(place, value) __atomic_fetch_sub(place, value, __ATOMIC_SEQ_CST)
#define atomic_fetch_and_explicit __atomic_fetch_and
#define atomic_fetch_or_explicit __atomic_fetch_or
#define atomic_fetch_xor_explicit __atomic_fetch_xor
#define atomic_compare_exchange_strong_explicit(place, expected, value, success, failure) \
    __atomic_compare_exchange_n(place, expected, value, 0, success, failure)
#define atomic_compare_exchange_weak_explicit(place, expected, value, success, failure) \
    __atomic_compare_exchange_n(place, expected, value, 1, success, failure)
#define atomic_compare_exchange_strong(place, expected, value) \
    __atomic_compare_exchange_n(place, expected, value, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)
#define atomic_thread_fence __atomic_thread_fence
#define atomic_signal_fence __atomic_signal_fence

void __assert_fail(const char *expression, const char *file, unsigned int line, const char *function)
    __attribute__((noreturn));
