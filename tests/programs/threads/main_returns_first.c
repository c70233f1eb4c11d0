// sley: reach=true race=true deadlock=true memory=true overflow=true
// Return from main ends all threads: what they would do after it never happens.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int is_over;

static int finish(void)
{
    return 0;
}

void *worker(void *unused)
{
    while (!is_over)
        ;
    assert(0);
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    return finish();
}
