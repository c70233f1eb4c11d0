// sley: reach=false race=false deadlock=true memory=true overflow=true
// The writer lets one reader be: it changes what that one reads.
#include <assert.h>
#include <pthread.h>

extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern void __VERIFIER_assume(int);
_Bool is_written;
unsigned readers;
int data;

void *writer(void *unused)
{
    __VERIFIER_atomic_begin();
    __VERIFIER_assume(!is_written && readers <= 1);
    is_written = 1;
    __VERIFIER_atomic_end();
    data = data ^ 1;
    __VERIFIER_atomic_begin();
    is_written = 0;
    __VERIFIER_atomic_end();
    return 0;
}

void *reader(void *unused)
{
    __VERIFIER_atomic_begin();
    __VERIFIER_assume(!is_written);
    readers = readers + 1;
    __VERIFIER_atomic_end();
    int copy = data;
    assert(copy == data);
    __VERIFIER_atomic_begin();
    readers = readers - 1;
    __VERIFIER_atomic_end();
    return 0;
}

int main(void)
{
    pthread_t thread;
    while (__VERIFIER_nondet_bool())
        if (__VERIFIER_nondet_bool())
            pthread_create(&thread, 0, writer, 0);
        else
            pthread_create(&thread, 0, reader, 0);
    return 0;
}
