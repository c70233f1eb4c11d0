// sley: reach=false race=true deadlock=true memory=false overflow=true
// The last access of a thread shows its local variable to others, who have it until the thread ends.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

int *_Atomic shown;

void *owner(void *unused)
{
    int own = 1;
    shown = &own;
    pthread_exit(0);
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, owner, 0);
    int *there = shown;
    if (there)
        assert(*there == 0);
    pthread_join(thread, 0);
    return 0;
}
