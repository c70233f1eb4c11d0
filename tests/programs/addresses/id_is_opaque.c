// sley: reach=false race=true deadlock=true memory=true overflow=true
// The id of the first thread is any number but not 1 by promise.
#include <assert.h>
#include <pthread.h>

int main(void)
{
    pthread_t me = pthread_self();
    assert((unsigned long)me == 1);
    return 0;
}
