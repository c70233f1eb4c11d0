// expect: bug
// Two threads keep pace with each other, as they think: the first goes on unless the other is two steps behind.
// Once they have met often enough, the other notices. For N > 2.
#include <assert.h>
#include <pthread.h>

int steps_one, steps_other, meetings;

void *one(void *unused)
{
    for (int i = 0; i < N; i++)
        if (steps_one <= steps_other + 1) {
            steps_one = steps_one + 1;
            if (steps_one == steps_other)
                meetings = meetings + 1;
        }
    return 0;
}

void *other(void *unused)
{
    for (int i = 0; i < N; i++)
        if (steps_other <= steps_one) {
            steps_other = steps_other + 1;
            if (steps_one == steps_other)
                meetings = meetings + 1;
            assert(meetings < N - 1 || steps_one - steps_other < 2);
        }
    return 0;
}

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, 0, one, 0);
    pthread_create(&second, 0, other, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    return 0;
}
