// sley: reach=true race=true deadlock=true memory=true overflow=true
// As t07_creation_order, with an assertion that holds.
#include <assert.h>
#include <pthread.h>

extern _Bool __VERIFIER_nondet_bool(void);

_Atomic int x;

void *put_one(void *unused)
{
    x = 1;
    return 0;
}

void *put_two(void *unused)
{
    x = 2;
    return 0;
}

int main(void)
{
    pthread_t first, second;
    if (__VERIFIER_nondet_bool()) {
        pthread_create(&first, 0, put_one, 0);
        pthread_join(first, 0);
        pthread_create(&second, 0, put_two, 0);
    } else {
        pthread_create(&first, 0, put_two, 0);
        pthread_join(first, 0);
        pthread_create(&second, 0, put_one, 0);
    }
    pthread_join(second, 0);
    int last = x;
    assert(last == 1 || last == 2);
    return 0;
}
