// sley: memory=false
// The name that a link has may fill the whole buffer: there is no room for its end then.
#include <unistd.h>

int main(void)
{
    char target[4];
    ssize_t length = readlink("link", target, sizeof target);
    if (length < 0)
        return 1;
    target[length] = 0;
    return 0;
}
