// sley: reach=true race=true deadlock=true memory=true overflow=true
// Opposite orders without deadlock: who does not get the second mutex releases the first and tries again.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t b = PTHREAD_MUTEX_INITIALIZER;
int counter;

static void visit(pthread_mutex_t *first, pthread_mutex_t *second)
{
    for (;;) {
        pthread_mutex_lock(first);
        if (pthread_mutex_trylock(second) == 0)
            break;
        pthread_mutex_unlock(first);
    }
    counter++;
    pthread_mutex_unlock(second);
    pthread_mutex_unlock(first);
}

void *worker(void *unused)
{
    visit(&b, &a);
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    visit(&a, &b);
    pthread_join(thread, 0);
    assert(counter == 2);
    return 0;
}
