// sley: reach=true race=true deadlock=false memory=true overflow=true
// The flag is set and signalled without the mutex, between the look at the flag and the wait.
// why: loader signals `is_ready` .* no thread waits for it then; .* without holding `lock`
#include <pthread.h>
#include <stdatomic.h>

static atomic_int ready;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t is_ready = PTHREAD_COND_INITIALIZER;

static void *waiter(void *unused)
{
    pthread_mutex_lock(&lock);
    while (!ready)  // decisive
        pthread_cond_wait(&is_ready, &lock);  // decisive
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void *loader(void *unused)
{
    ready = 1;  // decisive
    pthread_cond_signal(&is_ready);  // decisive
    return NULL;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, waiter, NULL);
    pthread_create(&two, NULL, loader, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
