// sley: reach=true race=true deadlock=true memory=true overflow=true
// Constructors run before main, those with small priorities first, also when only a declaration says so.
#include <assert.h>
#include <pthread.h>

static int steps;
static pthread_mutex_t lock;

#define EARLY __attribute__((constructor(101)))

__attribute__((constructor)) static void third(void) { assert(steps == 2); steps = 3; }
__attribute__((constructor(102))) static void second(void) { assert(steps == 1); steps = 2; }
EARLY static void first(void) { assert(steps == 0); steps = 1; }
void fourth(void) __attribute__((constructor));
void fourth(void) { assert(steps == 3); steps = 4; pthread_mutex_init(&lock, 0); }

static void *worker(void *unused)
{
    pthread_mutex_lock(&lock);
    steps++;
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    pthread_mutex_lock(&lock);
    assert(steps == 4 || steps == 5);
    pthread_mutex_unlock(&lock);
    pthread_join(thread, 0);
    return 0;
}
