// sley: reach=true race=true deadlock=true memory=false overflow=true
// A thread returns a pointer to a variable of the round that started it; it is joined in the next one.
#include <pthread.h>

static void *same(void *number)
{
    return number;
}

int main(void)
{
    pthread_t threads[2];
    int sum = 0;
    for (int round = 0; round < 2; round++) {
        int number = round;
        pthread_create(&threads[round], 0, same, &number);
        if (round == 1) {
            void *former;
            pthread_join(threads[0], &former);
            sum = *(int *)former;
            pthread_join(threads[1], 0);
        }
    }
    return sum;
}
