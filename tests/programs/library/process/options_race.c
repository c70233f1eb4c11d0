// sley: reach=true race=false deadlock=true memory=true overflow=true
// Two threads look for options: where they are is kept in variables that they share (POSIX XSH 2.9.1).
#include <pthread.h>
#include <stddef.h>
#include <unistd.h>

static void *worker(void *unused)
{
    char name[] = "worker", *arguments[] = {name, NULL};
    getopt(1, arguments, "x");
    return unused;
}

int main(void)
{
    pthread_t one, other;
    pthread_create(&one, NULL, worker, NULL);
    pthread_create(&other, NULL, worker, NULL);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    return 0;
}
