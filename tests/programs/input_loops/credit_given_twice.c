// sley: reach=false race=true deadlock=true memory=true overflow=true
// A credit is taken as long as it stays below a limit that is an input, and given back even if there is none.
#include <assert.h>
#include <pthread.h>

extern unsigned __VERIFIER_nondet_uint(void);

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
unsigned limit, taken;

void *taker(void *unused)
{
    while (1) {
        pthread_mutex_lock(&lock);
        if (taken < limit)
            taken++;
        pthread_mutex_unlock(&lock);
    }
    return 0;
}

void *giver(void *unused)
{
    while (1) {
        pthread_mutex_lock(&lock);
        if (taken < 3)
            taken--;
        assert(taken <= limit);
        pthread_mutex_unlock(&lock);
    }
    return 0;
}

int main(void)
{
    pthread_t one, two;
    limit = __VERIFIER_nondet_uint();
    pthread_create(&one, 0, taker, 0);
    pthread_create(&two, 0, giver, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
