// sley: reach=true race=true deadlock=true memory=true overflow=false
// The largest int plus one.
#include <limits.h>

int main(void)
{
    int number = INT_MAX;
    number++;
    return 0;
}
