// sley: reach=true race=true deadlock=true memory=true overflow=true
// The result of a thread is put into a local of main.
#include <assert.h>
#include <pthread.h>

static int answer = 42;

static void *worker(void *unused) { return &answer; }

int main(void)
{
    pthread_t threads[2];
    void *results[2];
    pthread_create(&threads[0], 0, worker, 0);
    pthread_create(&threads[1], 0, worker, 0);
    pthread_join(threads[1], &results[1]);
    pthread_join(threads[0], &results[0]);
    assert(results[0] == &answer && *(int *)results[1] == 42);
}
