// VALUE(e): natively, print the value; for sley, assert that it is what was printed (VALUE_0, VALUE_1, ...).
#ifdef NATIVE
#include <stdio.h>
#define VALUE(expression) printf("%llu\n", (unsigned long long)(expression))
#else
#include <assert.h>
#define VALUE_IS(expression, number) assert((unsigned long long)(expression) == VALUE_##number)
#define VALUE_NUMBERED(expression, number) VALUE_IS(expression, number)
#define VALUE(expression) VALUE_NUMBERED(expression, __COUNTER__)
#endif
