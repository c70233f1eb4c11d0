// sley: reach=false race=true deadlock=false memory=true overflow=true misuse=true
// A thread that waits for its own end is told so, or waits for ever.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

int main(void)
{
    pthread_t self = pthread_self();
    assert(pthread_join(self, 0) != EDEADLK);
    return 0;
}
