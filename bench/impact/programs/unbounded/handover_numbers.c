// expect: safe
// Numbers are handed over one by one by an atomic flag, forever.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int is_full;
unsigned value;

void *thread_one(void *unused)
{
    unsigned next = 0;
    while (1) {
        while (is_full)
            ;
        value = next;
        is_full = 1;
        next++;
    }
    return 0;
}

void *thread_two(void *unused)
{
    unsigned expected = 0;
    while (1) {
        while (!is_full)
            ;
        assert(value == expected);
        is_full = 0;
        expected++;
    }
    return 0;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, 0, thread_one, 0);
    pthread_create(&two, 0, thread_two, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
