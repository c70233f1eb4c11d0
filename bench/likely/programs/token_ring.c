// expect: safe
// Three threads pass a token; whoever has it counts. A turn that comes too early is skipped.
#include <assert.h>
#include <pthread.h>

int token, steps;

void *station(void *argument)
{
    int self = (int)(long)argument;
    for (int i = 0; i < N; i++) {
        if (token == self) {
            assert(steps % 3 == self);
            steps = steps + 1;
            token = self == 2 ? 0 : self + 1;
        }
    }
    return 0;
}

int main(void)
{
    pthread_t one, two, three;
    pthread_create(&one, 0, station, (void *)0L);
    pthread_create(&two, 0, station, (void *)1L);
    pthread_create(&three, 0, station, (void *)2L);
    pthread_join(one, 0);
    pthread_join(two, 0);
    pthread_join(three, 0);
    assert(steps <= 3 * N);
    return 0;
}
