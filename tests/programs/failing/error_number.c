// sley: reach=true race=true deadlock=true memory=true overflow=true args="--malloc-may-fail"
// An allocator that gets no memory says so in errno.
#include <assert.h>
#include <errno.h>
#include <stdlib.h>

int main(void)
{
    errno = 0;
    char *block = malloc(3);
    assert(block || errno == ENOMEM);
    errno = 0;
    char *larger = realloc(block, 6);
    assert(larger || errno == ENOMEM);
    free(larger ? larger : block);
    return 0;
}
