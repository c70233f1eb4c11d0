// sley: reach=false race=true deadlock=true memory=true overflow=true misuse=true
// An argument that may be any may be the one that is looked for; it is the same text each time.
#include <assert.h>
#include <string.h>

int main(int argc, char **argv)
{
    if (argc < 2)
        return 1;
    int is_quiet = strcmp(argv[1], "-q") == 0;
    assert(is_quiet == (strcmp(argv[1], "-q") == 0));
    assert(!is_quiet || strlen(argv[1]) == 2);
    assert(!is_quiet);
    return 0;
}
