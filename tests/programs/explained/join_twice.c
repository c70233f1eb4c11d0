// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=false
// The supervisor joins a worker that has failed, and main joins all of them.
// why: worker #2 was joined already by main in step \d+
#include <pthread.h>

enum { WORKERS = 2 };
static pthread_t workers[WORKERS];
static int failed = 1;

static void *worker(void *unused)
{
    return NULL;
}

static void check_workers(void)
{
    if (failed >= 0)
        pthread_join(workers[failed], NULL);  // decisive
}

int main(void)
{
    for (int i = 0; i < WORKERS; i++)
        pthread_create(&workers[i], NULL, worker, NULL);
    check_workers();
    for (int i = 0; i < WORKERS; i++)
        pthread_join(workers[i], NULL);  // decisive
    return 0;
}
