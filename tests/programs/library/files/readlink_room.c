// sley: reach=true memory=true
// One byte less is asked for than there is room.
#include <assert.h>
#include <unistd.h>

int main(void)
{
    char target[4];
    ssize_t length = readlink("link", target, sizeof target - 1);
    if (length < 0)
        return 1;
    target[length] = 0;
    assert(target[0]);
    return 0;
}
