// sley: reach=false race=false deadlock=true memory=true overflow=true
// Two threads write the same member of the same record, whichever it is, without a lock.
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

struct record {
    int left, right;
    long both;
} records[70];
int chosen;

static void *left(void *unused)
{
    records[chosen].left = 1;
    assert(records[chosen].left == 1);
    return unused;
}

static void *right(void *unused)
{
    records[chosen].left = 2;
    assert(records[chosen].both == 0);
    return unused;
}

int main(void)
{
    pthread_t one, other;
    int place = __VERIFIER_nondet_int();
    if (place < 0 || place >= 70)
        return 0;
    chosen = place;
    pthread_create(&one, 0, left, 0);
    pthread_create(&other, 0, right, 0);
    pthread_join(one, 0);
    pthread_join(other, 0);
    assert(records[place].left + records[place].right == 3);
    return 0;
}
