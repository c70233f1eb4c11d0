// sley: reach=false race=true deadlock=true memory=true overflow=true
// Where the assertion fails, the process ends: nobody runs for ever there. Otherwise main ends it.
#include <assert.h>
#include <pthread.h>

_Atomic int reached;

void *spinner(void *unused)
{
    while (1)
        ;
    return 0;
}

int main(void)
{
    pthread_t t;
    reached = 1;
    pthread_create(&t, 0, spinner, 0);
    assert(!reached);
    return 0;
}
