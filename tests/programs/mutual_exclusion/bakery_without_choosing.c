// sley: reach=false race=false deadlock=true memory=true overflow=true
// The bakery without the `choosing` flags: a customer is served while another one still reads its number.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int number[2];
int served;

static void visit(int me)
{
    int other = 1 - me;
    int mine = number[other] + 1;
    number[me] = mine;
    for (;;) {
        int theirs = number[other];
        if (theirs == 0 || mine < theirs || (mine == theirs && me < other))
            break;
    }
    served++;
    number[me] = 0;
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
    assert(served == 2);
    return 0;
}
