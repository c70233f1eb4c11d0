// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=true
// The owner of a stream may use the unlocked functions; others wait.
#include <pthread.h>
#include <stdio.h>

static void *worker(void *unused)
{
    flockfile(stdout);
    putc_unlocked('a', stdout);
    funlockfile(stdout);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    puts("b");
    flockfile(stdout);
    putchar_unlocked('c');
    funlockfile(stdout);
    pthread_join(thread, 0);
    return 0;
}
