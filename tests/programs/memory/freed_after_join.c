// sley: reach=true race=true deadlock=true memory=true overflow=true
// The block is freed when its user has been joined.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

void *worker(void *number)
{
    *(int *)number += 1;
    return number;
}

int main(void)
{
    pthread_t thread;
    int *number = malloc(sizeof(int));
    *number = 1;
    pthread_create(&thread, 0, worker, number);
    void *result;
    pthread_join(thread, &result);
    assert(result == number && *number == 2);
    free(number);
    return 0;
}
