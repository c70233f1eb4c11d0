// sley: reach=true race=true deadlock=true memory=true overflow=true
// An offset from the start is the one that was asked for; before the start there is none.
#include <assert.h>
#include <errno.h>
#include <unistd.h>

int main(void)
{
    off_t at = lseek(0, 512, SEEK_SET);
    assert(at == 512 || at == -1);
    assert(lseek(0, -1, SEEK_SET) == -1 && errno == EINVAL);
    return 0;
}
