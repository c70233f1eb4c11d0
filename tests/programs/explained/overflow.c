// sley: reach=true race=true deadlock=true memory=true overflow=false
// Two uploads of a size within the limit each are too large together.
// why: 1500000000 \+ 1500000000
#include <pthread.h>

enum { MOST = 1500000000 };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int total;

static void *upload(void *size)
{
    int bytes = (int)(long)size;
    if (bytes > MOST)
        return NULL;
    pthread_mutex_lock(&lock);
    total += bytes;  // decisive
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, upload, (void *)1500000000L);
    pthread_create(&two, NULL, upload, (void *)1500000000L);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
