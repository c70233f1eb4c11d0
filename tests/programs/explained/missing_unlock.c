// sley: reach=true race=true deadlock=false memory=true overflow=true
// The way out on an error leaves the mutex locked.
// why: reserve #1 waits for `lock`, which reserve #2 has locked in step \d+ .* has ended in step \d+ \(line 13\) without unlocking
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int seats = 1;

static void *reserve(void *wanted)
{
    pthread_mutex_lock(&lock);  // decisive
    if (seats < (int)(long)wanted)
        return NULL;  // decisive
    seats -= (int)(long)wanted;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, reserve, (void *)1L);
    pthread_create(&two, NULL, reserve, (void *)2L);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
