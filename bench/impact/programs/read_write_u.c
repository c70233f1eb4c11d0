// expect: bug
// Two readers and two writers; a reader that leaves counts down in two steps, so one reader can be forgotten.
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_assume(int);

int writing, readers;
int x, y;

void __VERIFIER_atomic_begin_writing(void)
{
    __VERIFIER_assume(writing == 0 && readers == 0);
    writing = 1;
}

void __VERIFIER_atomic_begin_reading(void)
{
    __VERIFIER_assume(writing == 0);
    readers = readers + 1;
}

void *writer(void *unused)
{
    __VERIFIER_atomic_begin_writing();
    x = 3;
    writing = 0;
    return 0;
}

void *reader(void *unused)
{
    __VERIFIER_atomic_begin_reading();
    int seen = x;
    y = seen;
    assert(y == x);
    int left = readers - 1;
    readers = left;
    return 0;
}

int main(void)
{
    pthread_t one, two, three, four;
    pthread_create(&one, 0, writer, 0);
    pthread_create(&two, 0, reader, 0);
    pthread_create(&three, 0, writer, 0);
    pthread_create(&four, 0, reader, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    pthread_join(three, 0);
    pthread_join(four, 0);
    return 0;
}
