// sley: reach=true race=true deadlock=true memory=false overflow=true
// The block has room for the letters but not for the end of the string.
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char *copy = malloc(2);
    strcpy(copy, "ab");
    free(copy);
    return 0;
}
