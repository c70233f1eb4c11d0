// sley: reach=true race=true deadlock=true memory=false overflow=true
// More is filled than there is.
#include <string.h>

static void *places[300];

int main(void)
{
    memset(places, 0, 301 * sizeof *places);
    return 0;
}
