// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=false
// Two threads join the same third one.
#include <pthread.h>

pthread_t third;

void *nothing(void *unused)
{
    return 0;
}

void *joins(void *unused)
{
    pthread_join(third, 0);
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&third, 0, nothing, 0);
    pthread_create(&thread, 0, joins, 0);
    pthread_join(third, 0);
    pthread_join(thread, 0);
    return 0;
}
