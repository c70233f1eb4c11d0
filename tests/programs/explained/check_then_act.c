// sley: reach=false race=true deadlock=true memory=true overflow=true
// A pool looks for a free connection in one critical section and takes it in the next.
// why: client #\d reads `available` = 1 .* client #\d writes it .* it is 0
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int available = 1;

static int has_connection(void)
{
    pthread_mutex_lock(&lock);
    int found = available > 0;  // decisive
    pthread_mutex_unlock(&lock);
    return found;
}

static void take_connection(void)
{
    pthread_mutex_lock(&lock);
    available--;  // decisive
    assert(available >= 0);
    pthread_mutex_unlock(&lock);
}

static void *client(void *unused)
{
    if (has_connection())
        take_connection();
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, client, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
