// sley: reach=false race=true deadlock=true memory=true overflow=true misuse=true
// Whoever does not look at the result of a lock does not see that the last owner died halfway.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t mutex;
int left = 2, right;

void *dies(void *unused)
{
    pthread_mutex_lock(&mutex);
    left--;
    pthread_exit(0);
}

int main(void)
{
    pthread_t thread;
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&mutex, &attributes);
    pthread_create(&thread, 0, dies, 0);
    pthread_mutex_lock(&mutex);
    assert(left + right == 2);
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, 0);
    return 0;
}
