// sley: reach=true race=true deadlock=true memory=true overflow=true
// A thread that spins for ever is not blocked, and who waits for it is in no cycle: not a deadlock.
#include <pthread.h>
#include <stdatomic.h>

atomic_bool never;

void *spinner(void *unused)
{
    while (!never)
        ;
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, spinner, 0);
    pthread_join(thread, 0);
    return 0;
}
