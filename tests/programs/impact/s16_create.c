// sley: reach=false race=true deadlock=true memory=true overflow=true
// The thread exists only behind its creation: creating depends on every step of the created thread.
#include <assert.h>
#include <pthread.h>

void *thread_one(void *unused)
{
    assert(0);
    return 0;
}

int main(void)
{
    pthread_t one;
    pthread_create(&one, 0, thread_one, 0);
    pthread_join(one, 0);
    return 0;
}
