// sley: reach=false race=true deadlock=true memory=true overflow=true
// Where the list of options begins with a colon, a value that is missing is told from an unknown option.
#include <assert.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int option;
    if (argc > 3)
        return 0;
    while ((option = getopt(argc, argv, ":n:")) != -1)
        assert(option != ':');
    return 0;
}
