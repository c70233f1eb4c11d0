// sley: reach=false race=true deadlock=true memory=true overflow=true
// Peterson's lock with the turn given to oneself: both get in.
// why: Before, enter #\d read `wants\[\d\]` = \d .*, and enter #\d read `wants\[\d\]` = 1 and `turn`
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int wants[2], turn, inside;

static void *enter(void *argument)
{
    int me = (int)(long)argument;
    wants[me] = 1;
    turn = me;
    while (wants[1 - me] && turn == 1 - me)  // decisive
        ;
    inside++;  // decisive
    assert(inside == 1);
    inside--;
    wants[me] = 0;
    return NULL;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, enter, (void *)0);
    pthread_create(&two, NULL, enter, (void *)1);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
