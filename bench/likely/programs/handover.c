// expect: safe
// Two threads take turns to add; a turn that comes too early is skipped. What one adds, the other sees.
#include <assert.h>
#include <pthread.h>

int turn, x = 1, y = 1;

void *first(void *unused)
{
    for (int i = 0; i < N; i++)
        if (turn == 0) {
            x = x + y;
            y = y + 1;
            assert(x > y - 2);
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
