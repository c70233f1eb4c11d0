// sley: reach=true race=true deadlock=false memory=true overflow=true misuse=true
// A signal that comes before the wait is lost.
#include <threads.h>

mtx_t mutex;
cnd_t ready;

int worker(void *unused)
{
    cnd_signal(&ready);
    return 0;
}

int main(void)
{
    thrd_t thread;
    mtx_init(&mutex, mtx_plain);
    cnd_init(&ready);
    thrd_create(&thread, worker, 0);
    mtx_lock(&mutex);
    cnd_wait(&ready, &mutex);
    mtx_unlock(&mutex);
    thrd_join(thread, 0);
    return 0;
}
