// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=false
// A thread may use a key after main has deleted it.
#include <pthread.h>

pthread_key_t key;

void *worker(void *unused)
{
    pthread_setspecific(key, &key);
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_key_create(&key, 0);
    pthread_create(&thread, 0, worker, 0);
    pthread_key_delete(key);
    pthread_join(thread, 0);
    return 0;
}
