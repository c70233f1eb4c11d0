// sley: reach=true race=true deadlock=true memory=true overflow=true
// At `exit` the frames are still alive: what their variables point to is not leaked.
#include <stdlib.h>

static void stop(void)
{
    exit(0);
}

int main(void)
{
    int *number = malloc(sizeof(int));
    *number = 1;
    stop();
    *number = 2;
    return 0;
}
