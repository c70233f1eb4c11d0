// sley: reach=true race=true deadlock=true memory=true overflow=true
// CBMC's fences order accesses and change nothing; its thread-local variables are those of C.
#include <assert.h>
#include <stdatomic.h>

#ifndef __CPROVER_thread_local // other compilers do not know it
#define __CPROVER_thread_local __thread
#endif

atomic_int x, y, done;
int seen_x, seen_y;
__CPROVER_thread_local int own = 3;

static void first(void)
{
    x = 1;
    __CPROVER_fence("WRfence", "RRfence");
    seen_y = y;
    own++;
    assert(own == 4);
    done++;
}

static void second(void)
{
    y = 1;
    __CPROVER_fence("WRfence");
    seen_x = x;
    done++;
}

int main(void)
{
__CPROVER_ASYNC_1:
    first();
__CPROVER_ASYNC_2:
    second();
    while (done < 2)
        ;
    assert((seen_x || seen_y) && own == 3);
    return 0;
}
