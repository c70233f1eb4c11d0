// sley: reach=true race=true deadlock=true memory=false overflow=true
// A copied string is not freed.
#include <string.h>

int main(void)
{
    return strdup("ab")[0] != 'a';
}
