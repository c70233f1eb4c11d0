// sley: unmodelled=true
// A second process has no model.
#include <sys/types.h>
#include <unistd.h>

int main(void)
{
    if (fork() == 0)
        _exit(0);
    return 0;
}
