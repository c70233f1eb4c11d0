// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=true
// How many bits a number has is a choice in a choice in a choice; it is written by one thread and read behind its end.
#include <assert.h>
#include <pthread.h>

extern unsigned long __VERIFIER_nondet_ulong(void);

static unsigned long number;
static int bits;

static void *count(void *unused)
{
    bits = number ? 64 - __builtin_clzl(number) : 0;
    return unused;
}

int main(void)
{
    pthread_t counter;
    number = __VERIFIER_nondet_ulong();
    pthread_create(&counter, 0, count, 0);
    pthread_join(counter, 0);
    assert(bits <= 64);
    return 0;
}
