// Included before every file that is analysed.
//
// The parser hides which atomic operation an expression is, and refuses operations that gcc accepts. These
// macros turn every atomic operation into an ordinary call, whose arguments tell the front end the type; the
// result is converted back to that type (a comma operator drops `_Atomic` and qualifiers from it).
#ifndef SLEY_PRELUDE_H
#define SLEY_PRELUDE_H

#include "../sley.h"

typedef float _Float32;
typedef double _Float64;
typedef double _Float32x;
typedef long double _Float64x;
typedef __float128 _Float128;

// Predefined macros are written nowhere, but a long double is read as it is written.
#undef __LDBL_MAX__
#undef __LDBL_MIN__
#undef __LDBL_EPSILON__
#undef __LDBL_DENORM_MIN__
#define __LDBL_MAX__ 1.18973149535723176502e+4932L
#define __LDBL_MIN__ 3.36210314311209350626e-4932L
#define __LDBL_EPSILON__ 1.08420217248550443401e-19L
#define __LDBL_DENORM_MIN__ 3.64519953188247460253e-4951L

// What programs written for CBMC call it.
#define __CPROVER_thread_local __thread

// Structs come as the address of a copy. A file that uses atomic operations on them is read again with
// SLEY_ATOMIC_RECORDS: others are spared the choice.
#define SLEY_LIKE(pointer) __typeof__((void)0, *(pointer))
#ifdef SLEY_ATOMIC_RECORDS
#define SLEY_FIRST_RECORD_CLASS 12
#define SLEY_IS_RECORD(pointer) (__builtin_classify_type(((void)0, *(pointer))) >= SLEY_FIRST_RECORD_CLASS)
#define SLEY_AS(pointer, call) \
    __builtin_choose_expr(SLEY_IS_RECORD(pointer), *(SLEY_LIKE(pointer) *)(__UINTPTR_TYPE__)call, \
        (__typeof__((void)0, __builtin_choose_expr(SLEY_IS_RECORD(pointer), 0, *(pointer))))call)
#else
#define SLEY_AS(pointer, call) ((SLEY_LIKE(pointer))call)
#endif

// The pointer first, then values, then orders, as in the operation that is replaced.
unsigned long long __sley_atomic_load(const volatile void *, ...);
unsigned long long __sley_atomic_exchange(const volatile void *, ...);
unsigned long long __sley_atomic_fetch_add(const volatile void *, ...);
unsigned long long __sley_atomic_fetch_sub(const volatile void *, ...);
unsigned long long __sley_atomic_fetch_and(const volatile void *, ...);
unsigned long long __sley_atomic_fetch_or(const volatile void *, ...);
unsigned long long __sley_atomic_fetch_xor(const volatile void *, ...);
unsigned long long __sley_atomic_fetch_nand(const volatile void *, ...);
unsigned long long __sley_atomic_add_fetch(const volatile void *, ...);
unsigned long long __sley_atomic_sub_fetch(const volatile void *, ...);
unsigned long long __sley_atomic_and_fetch(const volatile void *, ...);
unsigned long long __sley_atomic_or_fetch(const volatile void *, ...);
unsigned long long __sley_atomic_xor_fetch(const volatile void *, ...);
unsigned long long __sley_atomic_nand_fetch(const volatile void *, ...);
unsigned long long __sley_atomic_fetch_add_elements(const volatile void *, ...);
unsigned long long __sley_atomic_fetch_sub_elements(const volatile void *, ...);
void __sley_atomic_load_into(const volatile void *, ...);
void __sley_atomic_store(const volatile void *, ...);
void __sley_atomic_store_from(const volatile void *, ...);
void __sley_atomic_exchange_into(const volatile void *, ...);
void __sley_atomic_clear(const volatile void *, ...);
void __sley_atomic_init(const volatile void *, ...);
_Bool __sley_atomic_compare_exchange(const volatile void *, ...);
_Bool __sley_atomic_compare_exchange_from(const volatile void *, ...);
_Bool __sley_atomic_compare_exchange_strong(const volatile void *, ...);
_Bool __sley_atomic_compare_exchange_weak(const volatile void *, ...);
_Bool __sley_atomic_test_and_set(const volatile void *, ...);

#define __atomic_load_n(pointer, ...) SLEY_AS(pointer, __sley_atomic_load(pointer, __VA_ARGS__))
#define __atomic_exchange_n(pointer, ...) SLEY_AS(pointer, __sley_atomic_exchange(pointer, __VA_ARGS__))
#define __atomic_fetch_add(pointer, ...) SLEY_AS(pointer, __sley_atomic_fetch_add(pointer, __VA_ARGS__))
#define __atomic_fetch_sub(pointer, ...) SLEY_AS(pointer, __sley_atomic_fetch_sub(pointer, __VA_ARGS__))
#define __atomic_fetch_and(pointer, ...) SLEY_AS(pointer, __sley_atomic_fetch_and(pointer, __VA_ARGS__))
#define __atomic_fetch_or(pointer, ...) SLEY_AS(pointer, __sley_atomic_fetch_or(pointer, __VA_ARGS__))
#define __atomic_fetch_xor(pointer, ...) SLEY_AS(pointer, __sley_atomic_fetch_xor(pointer, __VA_ARGS__))
#define __atomic_fetch_nand(pointer, ...) SLEY_AS(pointer, __sley_atomic_fetch_nand(pointer, __VA_ARGS__))
#define __atomic_add_fetch(pointer, ...) SLEY_AS(pointer, __sley_atomic_add_fetch(pointer, __VA_ARGS__))
#define __atomic_sub_fetch(pointer, ...) SLEY_AS(pointer, __sley_atomic_sub_fetch(pointer, __VA_ARGS__))
#define __atomic_and_fetch(pointer, ...) SLEY_AS(pointer, __sley_atomic_and_fetch(pointer, __VA_ARGS__))
#define __atomic_or_fetch(pointer, ...) SLEY_AS(pointer, __sley_atomic_or_fetch(pointer, __VA_ARGS__))
#define __atomic_xor_fetch(pointer, ...) SLEY_AS(pointer, __sley_atomic_xor_fetch(pointer, __VA_ARGS__))
#define __atomic_nand_fetch(pointer, ...) SLEY_AS(pointer, __sley_atomic_nand_fetch(pointer, __VA_ARGS__))
#define __atomic_load __sley_atomic_load_into
#define __atomic_store_n __sley_atomic_store
#define __atomic_store __sley_atomic_store_from
#define __atomic_exchange __sley_atomic_exchange_into
#define __atomic_clear __sley_atomic_clear
#define __atomic_compare_exchange_n __sley_atomic_compare_exchange
#define __atomic_compare_exchange __sley_atomic_compare_exchange_from
#define __atomic_test_and_set __sley_atomic_test_and_set

#define __c11_atomic_load(pointer, ...) SLEY_AS(pointer, __sley_atomic_load(pointer, __VA_ARGS__))
#define __c11_atomic_exchange(pointer, ...) SLEY_AS(pointer, __sley_atomic_exchange(pointer, __VA_ARGS__))
#define __c11_atomic_fetch_and(pointer, ...) SLEY_AS(pointer, __sley_atomic_fetch_and(pointer, __VA_ARGS__))
#define __c11_atomic_fetch_or(pointer, ...) SLEY_AS(pointer, __sley_atomic_fetch_or(pointer, __VA_ARGS__))
#define __c11_atomic_fetch_xor(pointer, ...) SLEY_AS(pointer, __sley_atomic_fetch_xor(pointer, __VA_ARGS__))
#define __c11_atomic_fetch_nand(pointer, ...) SLEY_AS(pointer, __sley_atomic_fetch_nand(pointer, __VA_ARGS__))
#define __c11_atomic_fetch_add(pointer, ...) SLEY_AS(pointer, __sley_atomic_fetch_add_elements(pointer, __VA_ARGS__))
#define __c11_atomic_fetch_sub(pointer, ...) SLEY_AS(pointer, __sley_atomic_fetch_sub_elements(pointer, __VA_ARGS__))
#define __c11_atomic_init __sley_atomic_init
#define __c11_atomic_store __sley_atomic_store
#define __c11_atomic_compare_exchange_strong __sley_atomic_compare_exchange_strong
#define __c11_atomic_compare_exchange_weak __sley_atomic_compare_exchange_weak

#endif
