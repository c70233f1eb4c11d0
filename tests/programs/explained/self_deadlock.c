// sley: reach=true race=true deadlock=false memory=true overflow=true
// A queue locks its mutex in every function, and one of them calls another.
// why: locks `lock` again, which it holds since step \d+
#include <pthread.h>

enum { SIZE = 4 };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int items[SIZE], count;

static int is_full(void)
{
    pthread_mutex_lock(&lock);  // decisive
    int result = count == SIZE;
    pthread_mutex_unlock(&lock);
    return result;
}

static void *producer(void *item)
{
    pthread_mutex_lock(&lock);  // decisive
    if (!is_full())
        items[count++] = (int)(long)item;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, producer, (void *)5L);
    pthread_join(thread, NULL);
    return 0;
}
