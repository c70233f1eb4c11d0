// sley: reach=false race=true deadlock=true memory=true overflow=true misuse=true
// A thread that calls exit runs the handlers while main goes on.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

_Atomic int is_main_done;

void handler(void)
{
    assert(is_main_done);
}

void *worker(void *unused)
{
    exit(1);
}

int main(void)
{
    pthread_t thread;
    atexit(handler);
    pthread_create(&thread, 0, worker, 0);
    is_main_done = 1;
    pthread_join(thread, 0);
    return 0;
}
