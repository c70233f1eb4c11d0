// sley: reach=false race=false deadlock=true memory=true overflow=true
// To look at the other's flag before raising one's own is not mutual exclusion.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_bool wants[2];
int inside;

static void visit(int me)
{
    while (wants[1 - me])
        ;
    wants[me] = 1;
    inside++;
    assert(inside == 1);
    inside--;
    wants[me] = 0;
}

void *first(void *unused)
{
    visit(0);
    return 0;
}

void *second(void *unused)
{
    visit(1);
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
