// sley: reach=true race=true deadlock=true memory=false overflow=true misuse=true args="--argc-may-be-zero"
// Not even the name of the program must be there (C11 5.1.2.2.1p2): argv[0] may be null.
#include <stdio.h>

int main(int argc, char **argv)
{
    (void)argc;
    return argv[0][0] == '-';
}
