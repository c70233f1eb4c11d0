// sley: reach=true race=true deadlock=true memory=true overflow=true
// A block goes to a thread, which frees it; another one comes back as its result.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

void *square(void *input)
{
    int number = *(int *)input;
    free(input);
    int *output = malloc(sizeof(int));
    *output = number * number;
    return output;
}

int main(void)
{
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) {
        int *input = malloc(sizeof(int));
        *input = i + 2;
        pthread_create(&threads[i], 0, square, input);
    }
    int sum = 0;
    for (int i = 0; i < 2; i++) {
        void *output;
        pthread_join(threads[i], &output);
        sum += *(int *)output;
        free(output);
    }
    assert(sum == 13);
    return 0;
}
