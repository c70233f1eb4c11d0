// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=true
// A set has the signals that were added, and a thread waits for one of these.
#include <assert.h>
#include <signal.h>

int main(void)
{
    sigset_t set;
    int number;
    sigemptyset(&set);
    assert(sigaddset(&set, SIGINT) == 0);
    assert(sigaddset(&set, SIGALRM) == 0);
    assert(sigaddset(&set, 1000) == -1);
    assert(sigismember(&set, SIGINT) == 1);
    sigdelset(&set, SIGINT);
    assert(sigismember(&set, SIGINT) == 0);
    assert(sigwait(&set, &number) == 0);
    assert(number == SIGALRM);
    return 0;
}
