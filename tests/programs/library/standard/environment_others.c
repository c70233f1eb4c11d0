// sley: reach=false race=true deadlock=true memory=true overflow=true
// That one variable is there says nothing about another.
#include <assert.h>
#include <stdlib.h>

int main(void)
{
    if (getenv("HOME"))
        assert(getenv("HOMES"));
    return 0;
}
