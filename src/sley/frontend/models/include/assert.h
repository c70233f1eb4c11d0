// assert: one call that the front end knows, whatever NDEBUG-free program uses it.
#include "sley_features.h"

#undef assert
#ifdef NDEBUG
#define assert(expression) ((void)0)
#else
#define assert(expression) ((expression) ? (void)0 : __assert_fail(#expression, __FILE__, __LINE__, __func__))
#endif

#if !defined(static_assert) && !defined(__cplusplus)
#define static_assert _Static_assert
#endif

void __assert_fail(const char *expression, const char *file, unsigned int line, const char *function)
    __attribute__((noreturn));
