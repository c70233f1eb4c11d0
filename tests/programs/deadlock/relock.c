// sley: reach=true race=true deadlock=false memory=true overflow=true
// A normal mutex blocks its own owner for ever.
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void helper(void)
{
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
}

int main(void)
{
    pthread_mutex_lock(&lock);
    helper();
    pthread_mutex_unlock(&lock);
    return 0;
}
