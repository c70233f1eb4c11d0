// sley: reach=true race=true deadlock=true memory=false overflow=true misuse=true
// A variable of the environment that is not there cannot be read.
#include <stdlib.h>

int main(void)
{
    return getenv("DEBUG")[0] == '1';
}
