// sley: reach=true race=true deadlock=true memory=true overflow=true
// A variable is cleaned up however its scope is left: at its end, by break, continue, return and goto.
#include <assert.h>
#include <pthread.h>

static int order[8], count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void note(int *value) { order[count++] = *value; }
static void release(pthread_mutex_t **held) { pthread_mutex_unlock(*held); }
#define LOCKED(m) pthread_mutex_t *held __attribute__((cleanup(release))) = (pthread_mutex_lock(m), (m))

static int leave(int way)
{
    int a __attribute__((cleanup(note))) = 1;
    for (int i = 0; i < 2; i++) {
        __attribute__((cleanup(note))) int b = 2 + i;
        if (way == 1)
            break;
        if (way == 2)
            continue;
        if (way == 3)
            return a + 10;
        if (way == 4)
            goto out;
        a = 7;
    }
out:
    return a;
}

static void *worker(void *shared)
{
    LOCKED(&lock);
    if (*(int *)shared == 1)
        return 0;
    ++*(int *)shared;
    return 0;
}

int main(void)
{
    assert(leave(1) == 1 && count == 2 && order[0] == 2 && order[1] == 1);
    assert(leave(2) == 1 && count == 5 && order[2] == 2 && order[3] == 3 && order[4] == 1);
    count = 0;
    assert(leave(3) == 11 && count == 2 && leave(4) == 1 && count == 4);
    assert(leave(5) == 7 && count == 7 && order[6] == 7);
    int shared = 0;
    pthread_t threads[2];
    pthread_create(&threads[0], 0, worker, &shared);
    pthread_create(&threads[1], 0, worker, &shared);
    pthread_join(threads[0], 0);
    pthread_join(threads[1], 0);
    assert(shared == 1);
    return 0;
}
