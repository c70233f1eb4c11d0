// sley: reach=true race=true deadlock=true memory=true overflow=true
// A call to an unknown function in code that nothing calls spoils nothing.
#include <assert.h>

extern int mystery(void);

int never_called(void)
{
    return mystery();
}

int main(void)
{
    int number = 2;
    assert(number == 2);
    return 0;
}
