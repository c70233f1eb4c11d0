// sley: reach=true race=true deadlock=true memory=true overflow=true
// Each round starts a thread on a variable of its own, and waits for it.
#include <assert.h>
#include <pthread.h>

static void *twice(void *number)
{
    *(int *)number *= 2;
    return number;
}

int main(void)
{
    for (int round = 0; round < 2; round++) {
        pthread_t thread;
        int number = round;
        void *result;
        pthread_create(&thread, 0, twice, &number);
        pthread_join(thread, &result);
        assert(*(int *)result == 2 * round);
    }
    return 0;
}
