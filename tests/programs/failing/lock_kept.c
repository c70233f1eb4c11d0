// sley: reach=true race=true deadlock=false memory=true overflow=true args="--malloc-may-fail"
// Where there is no memory, the lock is kept, and the next one who wants it waits for ever.
#include <pthread.h>
#include <stdlib.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

int add(void)
{
    pthread_mutex_lock(&m);
    int *p = malloc(sizeof *p);
    if (!p)
        return -1;
    free(p);
    pthread_mutex_unlock(&m);
    return 0;
}

void *worker(void *unused)
{
    add();
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    add();
    pthread_join(t, 0);
    return 0;
}
