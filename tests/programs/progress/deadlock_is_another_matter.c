// sley: reach=true race=true deadlock=false memory=true overflow=true progress=true
// Nobody runs for ever: they are blocked.
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

int main(void)
{
    pthread_mutex_lock(&m);
    pthread_mutex_lock(&m);
    return 0;
}
