// sley: reach=true race=true deadlock=true memory=false overflow=true misuse=true
// An option that takes no value has none.
#include <unistd.h>

int main(void)
{
    char *arguments[] = {"program", "-f", 0};
    if (getopt(2, arguments, "f") == 'f')
        return optarg[0];
    return 0;
}
