// sley: reach=true race=true deadlock=true memory=true overflow=true
// Assembly that only orders accesses, or passes the time, changes no value.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int x, y;
int seen;

static void *worker(void *unused)
{
    atomic_store(&y, 1);
    __asm__ __volatile__("mfence" ::: "memory");
    seen = atomic_load(&x);
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    atomic_store(&x, 1);
    __asm__ __volatile__("" ::: "memory");
    __asm__ __volatile__("lock; addl $0,0(%%rsp)" ::: "memory", "cc");
    int other = atomic_load(&y);
    __asm__("" : "+r"(other));
    __asm__ volatile("rep; nop");
    pthread_join(thread, 0);
    assert(other || seen);
    return 0;
}
