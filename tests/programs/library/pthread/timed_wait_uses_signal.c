// sley: reach=true race=true deadlock=false memory=true overflow=true misuse=true
// A wait that times out may have used up the only signal, which another thread then waits for in vain.
#include <pthread.h>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
int tokens;

void *patient(void *unused)
{
    pthread_mutex_lock(&mutex);
    while (tokens == 0)
        pthread_cond_wait(&condition, &mutex);
    pthread_mutex_unlock(&mutex);
    return 0;
}

void *impatient(void *unused)
{
    struct timespec deadline = {1, 0};
    pthread_mutex_lock(&mutex);
    if (tokens == 0)
        pthread_cond_timedwait(&condition, &mutex, &deadline);
    pthread_mutex_unlock(&mutex);
    return 0;
}

int main(void)
{
    pthread_t one, other;
    pthread_create(&one, 0, patient, 0);
    pthread_create(&other, 0, impatient, 0);
    pthread_mutex_lock(&mutex);
    tokens = 1;
    pthread_cond_signal(&condition);
    pthread_mutex_unlock(&mutex);
    pthread_join(one, 0);
    pthread_join(other, 0);
    return 0;
}
