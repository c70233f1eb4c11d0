// sley: reach=true race=false deadlock=true memory=true overflow=true
// A slot chosen by the id of a thread: two threads may get the same.
#include <pthread.h>

int counts[4];

void *worker(void *unused)
{
    counts[(unsigned long)pthread_self() % 4]++;
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
