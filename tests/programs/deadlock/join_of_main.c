// sley: reach=true race=true deadlock=false memory=true overflow=true
// A thread and main join each other.
#include <pthread.h>

pthread_t first;

void *worker(void *unused)
{
    pthread_join(first, 0);
    return 0;
}

int main(void)
{
    pthread_t id;
    first = pthread_self();
    pthread_create(&id, 0, worker, 0);
    pthread_join(id, 0);
    return 0;
}
