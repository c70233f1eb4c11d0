// sley: reach=false race=false deadlock=true memory=true overflow=true
// A ticket is drawn in two steps: two threads get the same one, and both are inside.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

extern _Bool __VERIFIER_nondet_bool(void);

_Atomic unsigned next_ticket, now_serving;
int inside;

void *worker(void *unused)
{
    unsigned mine = next_ticket;
    next_ticket = mine + 1;
    while (now_serving != mine)
        ;
    inside = inside + 1;
    assert(inside == 1);
    inside = inside - 1;
    now_serving = mine + 1;
    return 0;
}

int main(void)
{
    pthread_t thread;
    while (__VERIFIER_nondet_bool())
        pthread_create(&thread, 0, worker, 0);
    return 0;
}
