// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=false
// The mutex of a log is destroyed when main is done, but not all writers are.
// why: main destroys `log_lock` in step \d+ .* writer #2 uses it
#include <pthread.h>

static pthread_mutex_t log_lock;
static int lines;

static void *writer(void *unused)
{
    pthread_mutex_lock(&log_lock);  // decisive
    lines++;
    pthread_mutex_unlock(&log_lock);
    return NULL;
}

int main(void)
{
    pthread_t one, two;
    pthread_mutex_init(&log_lock, NULL);
    pthread_create(&one, NULL, writer, NULL);
    pthread_join(one, NULL);
    pthread_create(&two, NULL, writer, NULL);
    pthread_mutex_destroy(&log_lock);  // decisive
    pthread_join(two, NULL);
    return 0;
}
