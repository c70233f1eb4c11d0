// sley: reach=true race=false deadlock=true memory=true overflow=true misuse=true
// Two threads use the one object that localtime returns (C11 7.27.3p1).
#include <pthread.h>
#include <time.h>

static void *worker(void *unused)
{
    time_t then = 0;
    localtime(&then);
    return unused;
}

int main(void)
{
    pthread_t thread;
    time_t then = 1;
    pthread_create(&thread, 0, worker, 0);
    int hour = localtime(&then)->tm_hour;
    pthread_join(thread, 0);
    return hour;
}
