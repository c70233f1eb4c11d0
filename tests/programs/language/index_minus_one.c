// sley: reach=true race=true deadlock=true memory=true overflow=true
// The address of an element is computed from a pointer just before the array.
#include <assert.h>
#include <pthread.h>

static char buffer[4];
static unsigned used;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *writer(void *unused)
{
    pthread_mutex_lock(&lock);
    used++;
    buffer[used - 1] = 1;
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, writer, 0);
    pthread_mutex_lock(&lock);
    used++;
    assert(buffer[used - 1] == 0);
    pthread_mutex_unlock(&lock);
    pthread_join(thread, 0);
    return 0;
}
