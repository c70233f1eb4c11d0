// sley: reach=true race=true deadlock=true memory=false overflow=true
// What malloc did not give cannot be freed.
#include <stdlib.h>

int number;

int main(void)
{
    int *pointer = &number;
    free(pointer);
    return 0;
}
