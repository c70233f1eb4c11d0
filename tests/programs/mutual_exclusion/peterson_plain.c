// sley: reach=true race=false deadlock=true memory=true overflow=true
// Peterson's algorithm with plain variables: right under sequential consistency, but full of data races.
#include <assert.h>
#include <pthread.h>

int interested[2];
int turn;
int counter;

void *first(void *unused)
{
    interested[0] = 1;
    turn = 1;
    while (interested[1] && turn == 1)
        ;
    counter++;
    interested[0] = 0;
    return 0;
}

void *second(void *unused)
{
    interested[1] = 1;
    turn = 0;
    while (interested[0] && turn == 0)
        ;
    counter++;
    interested[1] = 0;
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(counter == 2);
    return 0;
}
