// sley: reach=true race=false deadlock=true memory=true overflow=true misuse=true
// Unlocked functions are for those who own the stream (POSIX getc_unlocked).
#include <pthread.h>
#include <stdio.h>

static void *worker(void *unused)
{
    putc_unlocked('a', stdout);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    puts("b");
    pthread_join(thread, 0);
    return 0;
}
