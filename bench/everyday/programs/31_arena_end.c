// sley: reach=true race=true deadlock=true memory=false overflow=true
// Threads take blocks from an arena with one atomic addition, and the end of the arena is not looked at.
#include <pthread.h>
#include <stddef.h>

static char arena[32];
static char *top = arena;

static char *take(size_t size)
{
    return __atomic_fetch_add(&top, size, __ATOMIC_RELAXED);
}

static void *worker(void *arg)
{
    (void)arg;
    for (int i = 0; i < 3; i++) {
        char *block = take(8);
        block[0] = 'a';
        block[7] = 'z';
    }
    return NULL;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, worker, NULL);
    pthread_create(&two, NULL, worker, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
