// sley: reach=true race=true deadlock=true memory=false overflow=true
// A thread gets a name from a block that is gone.
#include <stdlib.h>
#include <sys/prctl.h>

int main(void)
{
    char *name = malloc(2);
    name[0] = 'a';
    name[1] = 0;
    free(name);
    prctl(PR_SET_NAME, name, 0, 0, 0);
    return 0;
}
