// sley: reach=false race=false deadlock=true memory=true overflow=true
// The read is outside of ESBMC's atomic section, so an increment can get lost.
#include <pthread.h>

void __ESBMC_assert(_Bool condition, const char *description);
void __ESBMC_atomic_begin(void);
void __ESBMC_atomic_end(void);

int count;

void *worker(void *unused)
{
    int old = count;
    __ESBMC_atomic_begin();
    count = old + 1;
    __ESBMC_atomic_end();
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    worker(0);
    pthread_join(thread, 0);
    __ESBMC_assert(count == 2, "no increment is lost");
    return 0;
}
