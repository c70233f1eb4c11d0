// sley: reach=false race=true deadlock=true memory=true overflow=true
// Who started the program need not be who it runs as.
#include <assert.h>
#include <unistd.h>

int main(void)
{
    assert(getuid() == geteuid());
    return 0;
}
