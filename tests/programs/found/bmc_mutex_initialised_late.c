// sley: reach=true race=false deadlock=true memory=true overflow=true misuse=false
// A mutex is initialised once more while a thread may hold it: then it keeps nobody out.
#include <pthread.h>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int data;

void *worker(void *unused)
{
    pthread_mutex_lock(&mutex);
    data = 1;
    pthread_mutex_unlock(&mutex);
    return 0;
}

int main(void)
{
    pthread_t id;
    pthread_create(&id, 0, worker, 0);
    pthread_mutex_init(&mutex, 0);
    pthread_mutex_lock(&mutex);
    data = 2;
    pthread_mutex_unlock(&mutex);
    pthread_join(id, 0);
    return 0;
}
