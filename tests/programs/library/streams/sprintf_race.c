// sley: reach=true race=false deadlock=true memory=true overflow=true misuse=true
// Two threads format into one buffer.
#include <pthread.h>
#include <stdio.h>

char text[8];

void *worker(void *unused)
{
    sprintf(text, "%d", 1);
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    sprintf(text, "%d", 2);
    pthread_join(thread, 0);
    return 0;
}
