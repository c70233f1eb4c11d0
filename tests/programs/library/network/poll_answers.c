// sley: reach=false memory=true
// A descriptor may be ready for something that was not asked for: its other end is gone.
#include <assert.h>
#include <poll.h>

int main(void)
{
    struct pollfd asked = {0, POLLIN, 0};
    if (poll(&asked, 1, -1) == 1)
        assert(asked.revents == POLLIN);
    return 0;
}
