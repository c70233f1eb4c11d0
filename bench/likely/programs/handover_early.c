// expect: bug
// Two threads take turns to add; the first one gives its turn away too early in its last round.
#include <assert.h>
#include <pthread.h>

int turn, x = 1, y = 1;

void *first(void *unused)
{
    for (int i = 0; i < N; i++)
        if (turn == 0) {
            x = x + y;
            if (i == N - 1)
                turn = 1;
            int old = y;
            y = old + 1;
            assert(y == old + 1 && x > 0);
            turn = 1;
        }
    return 0;
}

void *second(void *unused)
{
    for (int i = 0; i < N; i++)
        if (turn == 1) {
            y = x + y;
            x = x + 1;
            assert(y >= x - 1);
            turn = 0;
        }
    return 0;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, 0, first, 0);
    pthread_create(&two, 0, second, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
