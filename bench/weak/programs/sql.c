// The latch of PostgreSQL: two workers hand a token to each other, for ever. As described by M. Tautschnig on
// pgsql-hackers (29 February 2012), and by J. Alglave, D. Kroening, V. Nimal, M. Tautschnig (ESOP 2013).
// -DDEV_FIX: barriers in the two places where the developers said that one is missing.
// -DFIX: and one more, after a worker has seen its latch.
#include <assert.h>
#include <pthread.h>

#if defined(DEV_FIX) || defined(FIX)
#define DEV_FENCE() __sync_synchronize()
#else
#define DEV_FENCE() ((void)0)
#endif
#ifdef FIX
#define FENCE() __sync_synchronize()
#else
#define FENCE() ((void)0)
#endif

int latch[2] = {1, 0}, flag[2] = {1, 0};

static void wait_latch(int me)
{
    while (!latch[me])
        ;
    FENCE();
}

static void work(int me)
{
    int next = 1 - me;
    wait_latch(me);
    for (;;) {
        assert(!latch[me] || flag[me]);
        latch[me] = 0;
        DEV_FENCE();
        if (flag[me]) {
            flag[me] = 0;
            flag[next] = 1;
            DEV_FENCE();
            latch[next] = 1;
        }
        wait_latch(me);
    }
}

void *first(void *unused)
{
    work(0);
    return 0;
}

void *second(void *unused)
{
    work(1);
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
