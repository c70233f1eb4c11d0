// sley: reach=false race=true deadlock=true memory=true overflow=true
// An endless loop whose states repeat only after an input was told apart must not postpone the other thread.
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

int number;
_Atomic int started;

void *watcher(void *unused)
{
    assert(started == 0);
    return 0;
}

void *runner(void *unused)
{
    number = __VERIFIER_nondet_int();
    __VERIFIER_assume(number != 0);
    started = 1;
    for (;;) {
        if (number)
            number = 0;
        else
            number = __VERIFIER_nondet_int();
    }
}

int main(void)
{
    pthread_t thread;
    number = 0;
    pthread_create(&thread, 0, watcher, 0);
    pthread_create(&thread, 0, runner, 0);
    pthread_join(thread, 0);
    number = 1;
    return 0;
}
