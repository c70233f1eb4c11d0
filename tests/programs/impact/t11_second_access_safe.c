// sley: reach=true race=true deadlock=true memory=true overflow=true
// Two sections that begin with what nobody writes, and meet behind a pointer.
#include <assert.h>
#include <pthread.h>

extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

int x, y, n;
int *p = &x, *q = &y;

void *reader(void *unused)
{
    __VERIFIER_atomic_begin();
    int start = n;
    assert(*q <= start + 1);
    __VERIFIER_atomic_end();
    return 0;
}

void *writer(void *unused)
{
    __VERIFIER_atomic_begin();
    int value = n + 1;
    *p = value;
    __VERIFIER_atomic_end();
    return 0;
}

int main(void)
{
    pthread_t one, two;
    if (__VERIFIER_nondet_bool())
        p = q;
    pthread_create(&one, 0, reader, 0);
    pthread_create(&two, 0, writer, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
