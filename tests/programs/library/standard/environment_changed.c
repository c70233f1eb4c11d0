// sley: reach=true race=true deadlock=true memory=true overflow=true
// A program that changes its environment.
#include <stdlib.h>

int main(void)
{
    setenv("NAME", "value", 1);
    return 0;
}
