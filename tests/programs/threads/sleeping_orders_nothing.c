// sley: reach=false race=true deadlock=true memory=true overflow=true
// To sleep gives the other thread time, but promises nothing.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

atomic_int result;

void *worker(void *unused)
{
    result = abs(-1);
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    sleep(1);
    assert(result == 1);
    return 0;
}
