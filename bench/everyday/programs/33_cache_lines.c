// sley: reach=true race=true deadlock=true memory=true overflow=true
// Counters of threads live in cache lines of their own.
#include <assert.h>
#include <pthread.h>
#include <stdalign.h>
#include <stddef.h>
#include <stdint.h>

struct counter {
    alignas(64) unsigned long value;
};

static struct counter counters[2];

static void *count(void *arg)
{
    struct counter *mine = arg;
    for (int i = 0; i < 3; i++)
        mine->value++;
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    assert(sizeof(struct counter) == 64);
    assert((uintptr_t)&counters[1] % 64 == 0);
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, count, &counters[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert(counters[0].value + counters[1].value == 6);
    return 0;
}
