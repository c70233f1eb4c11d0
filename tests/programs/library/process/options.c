// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=true
// Options come in any order, each with its value, and then there are none.
#include <assert.h>
#include <unistd.h>

int main(void)
{
    char *arguments[] = {"program", "-n", "5", 0};
    int option = getopt(3, arguments, "n:f");
    assert(option == -1 || option == '?' || option == 'n' || option == 'f');
    assert(option != 'n' || optarg == arguments[2]);
    assert(1 <= optind && optind <= 3);
    return 0;
}
