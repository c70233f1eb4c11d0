// sley: reach=true race=true deadlock=true memory=false overflow=true misuse=true
// The text of strerror cannot be freed.
#include <stdlib.h>
#include <string.h>

int main(void)
{
    free(strerror(1));
    return 0;
}
