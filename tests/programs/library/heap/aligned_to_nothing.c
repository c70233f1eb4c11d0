// sley: reach=true race=true deadlock=true memory=true overflow=true
// An alignment that is no power of two, or too small, is refused, and the pointer stays.
#include <assert.h>
#include <errno.h>
#include <stdlib.h>

int main(void)
{
    int there;
    void *block = &there;
    assert(posix_memalign(&block, 3, 8) == EINVAL && posix_memalign(&block, 2, 8) == EINVAL);
    assert(block == &there);
    assert(posix_memalign(&block, 64, 8) == 0 && block != &there);
    free(block);
    return 0;
}
