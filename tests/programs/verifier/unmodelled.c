// sley: unmodelled=true
// A function that is only declared returns anything: the program cannot be proved safe.
#include <assert.h>

extern int mystery(void);

int main(void)
{
    assert(mystery() != 42);
    return 0;
}
