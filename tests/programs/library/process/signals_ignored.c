// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=true
// Signals that are ignored or have their default action change nothing.
#include <assert.h>
#include <signal.h>
#include <unistd.h>

int main(void)
{
    sigset_t set;
    struct sigaction action = {.sa_handler = SIG_IGN};
    assert(signal(SIGPIPE, SIG_IGN) == SIG_DFL);
    assert(signal(SIGPIPE, SIG_DFL) == SIG_IGN);
    assert(signal(1000, SIG_IGN) == SIG_ERR);
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    assert(sigprocmask(SIG_BLOCK, &set, 0) == 0);
    assert(sigaction(SIGUSR1, &action, 0) == 0);
    alarm(1);
    return 0;
}
