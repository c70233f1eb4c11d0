// sley: reach=false race=false deadlock=true memory=true overflow=true
// To join a thread does not join the threads that it has created.
#include <assert.h>
#include <pthread.h>

int result;

void *inner(void *unused)
{
    result = 1;
    return 0;
}

void *outer(void *unused)
{
    pthread_t thread;
    pthread_create(&thread, 0, inner, 0);
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, outer, 0);
    pthread_join(thread, 0);
    assert(result == 1);
    return 0;
}
