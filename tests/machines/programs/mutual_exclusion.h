// Two threads for ever, at most one of them in the critical section.
#include <assert.h>
#include <pthread.h>

#ifdef FENCED
#define FENCE() __sync_synchronize()
#else
#define FENCE() ((void)0)
#endif
#if defined(FENCED) && defined(PARTIAL_STORE_ORDER)
#define STORE_FENCE() __asm__ volatile("sfence" ::: "memory")
#else
#define STORE_FENCE() ((void)0)
#endif

int critical;

static void in_critical_section(void)
{
    assert(critical == 0);
    critical = 1;
    critical = 0;
    STORE_FENCE();
}

void *first(void *unused);
void *second(void *unused);

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
}
