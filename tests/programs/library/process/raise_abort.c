// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=true
// To raise SIGABRT is to abort: nothing comes after it.
#include <assert.h>
#include <signal.h>

int main(void)
{
    raise(SIGABRT);
    assert(0);
    return 0;
}
