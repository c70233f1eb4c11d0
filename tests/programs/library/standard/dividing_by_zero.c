// sley: reach=true race=true deadlock=true memory=true overflow=true division=false
// A library function divides by zero as an operator does.
#include <stdlib.h>

int main(void)
{
    return div(1, 0).quot;
}
