// sley: reach=false race=false deadlock=true memory=true overflow=true
// A statement behind a label of CBMC runs at any time.
#include <assert.h>

int global;

int main(void)
{
__CPROVER_ASYNC_1:
    global = 1;
    int seen = global;
    assert(global == seen);
    return 0;
}
