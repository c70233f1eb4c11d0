// sley: reach=false race=false deadlock=true memory=true overflow=true
// The result is read before the thread that computes it is joined.
#include <assert.h>
#include <pthread.h>

int result;

void *worker(void *unused)
{
    result = 1;
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    int seen = result;
    pthread_join(thread, 0);
    assert(seen == 1);
    return 0;
}
