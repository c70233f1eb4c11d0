// sley: reach=false race=true deadlock=true memory=true overflow=true misuse=true
// The first index need not be 0.
#include <assert.h>
#include <windows.h>

int main(void)
{
    assert(TlsAlloc() == 0);
    return 0;
}
