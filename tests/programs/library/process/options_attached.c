// sley: reach=false race=true deadlock=true memory=true overflow=true
// The value of an option can be in the same argument: `-n5`.
#include <assert.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int option;
    if (argc > 3)
        return 0;
    while ((option = getopt(argc, argv, "n:")) != -1)
        if (option == 'n')
            assert(argc >= 3);
    return 0;
}
