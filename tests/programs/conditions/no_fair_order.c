// sley: reach=false race=true deadlock=true memory=true overflow=true misuse=true
// Waiting threads are not served in the order in which they were created.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
int tickets, served;

void *guest(void *name)
{
    pthread_mutex_lock(&lock);
    while (tickets == 0)
        pthread_cond_wait(&changed, &lock);
    tickets--;
    if (served == 0)
        served = *(int *)name;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void)
{
    pthread_t a, b;
    int first = 1, second = 2;
    pthread_create(&a, 0, guest, &first);
    pthread_create(&b, 0, guest, &second);
    pthread_mutex_lock(&lock);
    tickets = 2;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(served == 1);
    return 0;
}
