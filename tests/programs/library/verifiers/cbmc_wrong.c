// sley: reach=false race=false deadlock=true memory=true overflow=true
// The read is outside of CBMC's atomic section, so an increment can get lost.
#include <pthread.h>

void __CPROVER_assert(_Bool condition, const char *description);
void __CPROVER_atomic_begin(void);
void __CPROVER_atomic_end(void);

int count;

void *worker(void *unused)
{
    int old = count;
    __CPROVER_atomic_begin();
    count = old + 1;
    __CPROVER_atomic_end();
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    worker(0);
    pthread_join(thread, 0);
    __CPROVER_assert(count == 2, "no increment is lost");
    return 0;
}
