// sley: reach=true race=true deadlock=true memory=true overflow=true
// Two threads go through both branches of a recursion, each with a lock at the bottom.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int leaves;

static void walk(int depth)
{
    if (depth == 0) {
        pthread_mutex_lock(&mutex);
        leaves++;
        pthread_mutex_unlock(&mutex);
        return;
    }
    walk(depth - 1);
    walk(depth - 1);
}

static void *run(void *unused)
{
    walk(2);
    return 0;
}

int main(void)
{
    pthread_t one, other;
    pthread_create(&one, 0, run, 0);
    pthread_create(&other, 0, run, 0);
    pthread_join(one, 0);
    pthread_join(other, 0);
    assert(leaves == 8);
    return 0;
}
