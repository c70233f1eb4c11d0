// sley: reach=true race=true deadlock=true memory=false overflow=true
// A block of `alloca` is gone when its function has returned.
#include <alloca.h>

static int *made(void)
{
    int *block = alloca(sizeof(int));
    *block = 1;
    return block;
}

int main(void)
{
    int *block = made();
    return *block;
}
