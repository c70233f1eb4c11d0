/* Two threads keep the highest of their samples. What `read_sensor` does is in another library. */
#include <assert.h>
#include <pthread.h>

int read_sensor(void);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int highest;

static void *sampler(void *unused)
{
    int sample = read_sensor();
    pthread_mutex_lock(&lock);
    if (sample > highest)
        highest = sample;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, sampler, NULL);
    pthread_create(&two, NULL, sampler, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(highest <= 100);
    return 0;
}
