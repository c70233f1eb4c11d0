// sley: reach=false race=true deadlock=true memory=true overflow=true misuse=true
// Two numbers in a row need not be alike.
#include <assert.h>
#include <stdlib.h>

int main(void)
{
    srand(7);
    int first = rand();
    if (first == 3)
        assert(rand() == 3);
    return 0;
}
