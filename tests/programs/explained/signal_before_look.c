// sley: reach=true race=true deadlock=false memory=true overflow=true
// The door is set to a state that nobody waits for; no wake-up is lost.
// why: main waits for `moved` since step \d+ \(line 25\), and no thread signals it afterwards; the last signal came in step \d+ \(line 14\), before main read `door` = 2
#include <pthread.h>

enum { CLOSED, OPEN, AJAR };
static int door = CLOSED;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t moved = PTHREAD_COND_INITIALIZER;

static void *push(void *unused)
{
    pthread_mutex_lock(&lock);
    door = AJAR, pthread_cond_signal(&moved);  // decisive
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, push, NULL);
    pthread_mutex_lock(&lock);
    while (door != OPEN)  // decisive
        pthread_cond_wait(&moved, &lock);  // decisive
    pthread_mutex_unlock(&lock);
    pthread_join(thread, NULL);
    return 0;
}
