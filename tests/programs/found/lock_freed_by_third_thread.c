// sley: reach=false race=false deadlock=true memory=true overflow=true misuse=false
// A mutex that one thread holds and another waits for is initialised by a third: the one who waits goes on.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int data;

void *worker(void *unused)
{
    pthread_mutex_lock(&mutex);
    int before = data;
    data = before + 1;
    assert(data == before + 1);
    pthread_mutex_unlock(&mutex);
    return 0;
}

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, 0, worker, 0);
    pthread_create(&second, 0, worker, 0);
    pthread_mutex_init(&mutex, 0);
    return 0;
}
