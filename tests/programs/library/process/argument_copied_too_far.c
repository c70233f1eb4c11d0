// sley: reach=true race=true deadlock=true memory=false overflow=true misuse=true
// An argument is copied without a look at its length.
#include <string.h>

int main(int argc, char **argv)
{
    char name[4];
    if (argc > 1)
        strcpy(name, argv[1]);
    return 0;
}
