// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=true
// Two indices differ; one that is given back is none any more.
#include <assert.h>
#include <windows.h>

int main(void)
{
    int value;
    DWORD first = TlsAlloc(), second = TlsAlloc();
    assert(first != TLS_OUT_OF_INDEXES && first != second);
    TlsSetValue(first, &value);
    assert(TlsGetValue(second) == NULL && GetLastError() == ERROR_SUCCESS);
    TlsFree(first);
    assert(TlsGetValue(first) == NULL && GetLastError() == ERROR_INVALID_PARAMETER);
    return 0;
}
