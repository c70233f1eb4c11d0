// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=false
// Readers and writers of a channel wait for one condition variable with different mutexes.
// why: `changed`: reader waits with `read_lock` since step \d+ .* writer now waits with `write_lock`
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t read_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t write_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static atomic_int is_open;

static void *reader(void *unused)
{
    pthread_mutex_lock(&read_lock);
    while (!is_open)
        pthread_cond_wait(&changed, &read_lock);  // decisive
    pthread_mutex_unlock(&read_lock);
    return NULL;
}

static void *writer(void *unused)
{
    pthread_mutex_lock(&write_lock);
    while (!is_open)
        pthread_cond_wait(&changed, &write_lock);  // decisive
    pthread_mutex_unlock(&write_lock);
    return NULL;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, reader, NULL);
    pthread_create(&two, NULL, writer, NULL);
    pthread_mutex_lock(&read_lock);
    pthread_mutex_lock(&write_lock);
    is_open = 1;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&write_lock);
    pthread_mutex_unlock(&read_lock);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
