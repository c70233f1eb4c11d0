// sley: reach=true race=true deadlock=true memory=true overflow=true
// A plain value is handed over by an atomic flag, forever.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int is_full;
int value;

void *thread_one(void *unused)
{
    int next = 0;
    while (1) {
        while (is_full)
            ;
        value = next;
        is_full = 1;
        next = (next + 1) % 4;
    }
    return 0;
}

void *thread_two(void *unused)
{
    int expected = 0;
    while (1) {
        while (!is_full)
            ;
        assert(value == expected);
        is_full = 0;
        expected = (expected + 1) % 4;
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
