// sley: reach=true race=true deadlock=true memory=false overflow=true misuse=true
// Without a destructor, nobody frees the block that only a thread that has ended knew.
#include <pthread.h>
#include <stdlib.h>

pthread_key_t key;

void *worker(void *unused)
{
    pthread_setspecific(key, malloc(4));
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_key_create(&key, 0);
    pthread_create(&thread, 0, worker, 0);
    pthread_join(thread, 0);
    return 0;
}
