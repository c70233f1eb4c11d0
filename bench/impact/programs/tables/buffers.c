// expect: safe
// Three buffers: one is filled, one is shown, one is cleared; which is which is decided at the start.
#include <assert.h>
#include <pthread.h>

extern _Bool __VERIFIER_nondet_bool(void);

struct buffer {
    int length, sum;
} one, two, three;

struct buffer *filled = &one, *shown = &two, *cleared = &three;

void *writer(void *unused)
{
    filled->length = 1;
    filled->sum = 5;
    filled->length = filled->length + 1;
    filled->sum = filled->sum + 7;
    assert(filled->length == 2);
    return 0;
}

void *reader(void *unused)
{
    shown->length = 1;
    shown->sum = 3;
    assert(shown->length == 1);
    shown->length = shown->length - 1;
    return 0;
}

void *cleaner(void *unused)
{
    cleared->sum = 0;
    cleared->length = 0;
    assert(cleared->sum == 0);
    return 0;
}

int main(void)
{
    pthread_t first, second, third;
    if (__VERIFIER_nondet_bool()) {
        filled = &two;
        shown = &three;
        cleared = &one;
    }
    pthread_create(&first, 0, writer, 0);
    pthread_create(&second, 0, reader, 0);
    pthread_create(&third, 0, cleaner, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    pthread_join(third, 0);
    return 0;
}
