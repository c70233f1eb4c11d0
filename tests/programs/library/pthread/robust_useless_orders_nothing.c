// sley: reach=true race=false deadlock=true memory=true overflow=true misuse=true
// Who finds a robust mutex useless does not get it, and is not ordered behind those who had it.
#include <errno.h>
#include <pthread.h>

pthread_mutex_t mutex;
int data;

void *dies(void *unused)
{
    pthread_mutex_lock(&mutex);
    return 0;
}

void *gives_up(void *unused)
{
    data = 1;
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    return 0;
}

int main(void)
{
    pthread_t one, other;
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&mutex, &attributes);
    pthread_create(&one, 0, dies, 0);
    pthread_join(one, 0);
    pthread_create(&other, 0, gives_up, 0);
    if (pthread_mutex_lock(&mutex) == ENOTRECOVERABLE)
        data = 2;
    return 0;
}
