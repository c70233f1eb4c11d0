// sley: reach=true race=true deadlock=true memory=false overflow=true
// An invalid dereference ends the run: nothing after it counts, whatever is checked.
#include <assert.h>
#include <stddef.h>

int *pointer = NULL;

int main(void)
{
    *pointer = 1;
    assert(0);
    return 0;
}
