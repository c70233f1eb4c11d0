// sley: reach=true race=true deadlock=true memory=false overflow=true
// A number that is no character is looked up behind the end of a table.
#include <ctype.h>

int main(void)
{
    return isdigit(100000) != 0;
}
