// sley: reach=false race=true deadlock=true memory=true overflow=true misuse=true
// The second thread that main creates is the first to come, and main knows it by its id.
#include <assert.h>
#include <pthread.h>

pthread_t first;
int has_come;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *worker(void *unused)
{
    pthread_mutex_lock(&lock);
    if (!has_come) {
        has_come = 1;
        first = pthread_self();
    }
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(pthread_equal(first, a));
    return 0;
}
