// sley: unmodelled=true
// A handler can run at any time, which has no model.
#include <signal.h>

void handler(int number)
{
}

int main(void)
{
    signal(SIGINT, handler);
    return 0;
}
