// expect: bug
// Items go through two slots. The middle stage hands its last item over without looking whether the slot is free.
#include <assert.h>
#include <pthread.h>

int left, right, out;

void *source(void *unused)
{
    int item = 1;
    for (int i = 0; i < N + 1; i++)
        if (left == 0) {
            left = item;
            item = item + 1;
        }
    return 0;
}

void *middle(void *unused)
{
    for (int i = 0; i < N + 1; i++) {
        int item = left;
        if (item != 0 && (right == 0 || item == N)) {
            right = item;
            left = 0;
        }
    }
    return 0;
}

void *sink(void *unused)
{
    for (int i = 0; i < N + 1; i++) {
        int item = right;
        if (item != 0) {
            assert(item == out + 1);
            out = item;
            right = 0;
        }
    }
    return 0;
}

int main(void)
{
    pthread_t one, two, three;
    pthread_create(&one, 0, source, 0);
    pthread_create(&two, 0, middle, 0);
    pthread_create(&three, 0, sink, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    pthread_join(three, 0);
    return 0;
}
