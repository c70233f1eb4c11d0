// expect: safe
// Three threads put a key into a hash table, look it up, and take it out; their keys are of different buckets.
#include <assert.h>
#include <pthread.h>

#define BUCKETS 4

extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);

unsigned key[BUCKETS], value[BUCKETS];
unsigned key_of_first, key_of_second, key_of_third;

#define WORKER(name, mine)                      \
    void *name(void *unused)                    \
    {                                           \
        key[mine % BUCKETS] = mine;             \
        value[mine % BUCKETS] = 1;              \
        assert(key[mine % BUCKETS] == mine);    \
        assert(value[mine % BUCKETS] == 1);     \
        key[mine % BUCKETS] = 0;                \
        return 0;                               \
    }

WORKER(first, key_of_first)
WORKER(second, key_of_second)
WORKER(third, key_of_third)

int main(void)
{
    pthread_t one, two, three;
    key_of_first = __VERIFIER_nondet_uint();
    key_of_second = __VERIFIER_nondet_uint();
    key_of_third = __VERIFIER_nondet_uint();
    __VERIFIER_assume(key_of_first % BUCKETS != key_of_second % BUCKETS);
    __VERIFIER_assume(key_of_first % BUCKETS != key_of_third % BUCKETS);
    __VERIFIER_assume(key_of_second % BUCKETS != key_of_third % BUCKETS);
    pthread_create(&one, 0, first, 0);
    pthread_create(&two, 0, second, 0);
    pthread_create(&three, 0, third, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    pthread_join(three, 0);
    return 0;
}
