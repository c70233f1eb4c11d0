// sley: reach=true race=true deadlock=true memory=true overflow=true
// Whoever comes second ends the process inside its atomic section: nobody is ever second behind it.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

int tickets;

void *taker(void *unused)
{
    int mine;
    __VERIFIER_atomic_begin();
    if (tickets > 0)
        abort();
    tickets = tickets + 1;
    mine = tickets;
    __VERIFIER_atomic_end();
    assert(mine == 1);
    return 0;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, 0, taker, 0);
    pthread_create(&two, 0, taker, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    assert(tickets == 1);
    return 0;
}
