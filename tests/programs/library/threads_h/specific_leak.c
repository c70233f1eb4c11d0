// sley: reach=true race=true deadlock=true memory=false overflow=true misuse=true
// Nothing frees what a thread has left in a key without a destructor.
#include <stdlib.h>
#include <threads.h>

tss_t key;

int worker(void *argument)
{
    tss_set(key, malloc(4));
    return 0;
}

int main(void)
{
    thrd_t thread;
    tss_create(&key, 0);
    thrd_create(&thread, worker, 0);
    thrd_join(thread, 0);
    return 0;
}
