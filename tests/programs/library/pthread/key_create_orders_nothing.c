// sley: reach=true race=false deadlock=true memory=true overflow=true misuse=true
// Threads that make keys are not ordered by that, whatever numbers they get.
#include <pthread.h>

pthread_key_t first, second;
int data;

void *worker(void *unused)
{
    data = 1;
    pthread_key_create(&first, 0);
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    pthread_key_create(&second, 0);
    if (second > 3)
        data = 2;
    pthread_join(thread, 0);
    return 0;
}
