// sley: reach=false race=true deadlock=true memory=true overflow=true
// The value of an option that may have one is null where none is attached.
#include <assert.h>
#include <stddef.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int option;
    if (argc > 3)
        return 0;
    while ((option = getopt(argc, argv, "n::")) != -1)
        if (option == 'n')
            assert(optarg != NULL);
    return 0;
}
