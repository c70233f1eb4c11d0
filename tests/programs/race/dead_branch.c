// sley: reach=true race=true deadlock=true memory=true overflow=true
// The racing write stands in a branch that cannot be taken.
#include <pthread.h>
#include <stdatomic.h>

atomic_int mode;
int value;

void *worker(void *unused)
{
    if (mode == 2)
        value = 1;
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    value = 2;
    mode = 1;
    value = 3;
    pthread_join(thread, 0);
    return 0;
}
