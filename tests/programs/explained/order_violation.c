// sley: reach=false race=true deadlock=true memory=true overflow=true
// The worker reads its settings before main has written them.
// why: `limit` still has its initial value 0 .* `limit` has not been written before
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int limit;
static int used;

static void *worker(void *unused)
{
    int most = atomic_load(&limit);  // decisive
    assert(most > 0);
    used = most / 2;
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    atomic_store(&limit, 8);
    pthread_join(thread, NULL);
    return used > 8;
}
