// sley: reach=true race=true deadlock=true memory=true overflow=true
// Blocks of `alloca`, of computed sizes, live until their function returns.
#include <alloca.h>
#include <assert.h>
#include <pthread.h>

static int sum(int n)
{
    if (n == 0)
        return 0;
    int *numbers = alloca(n * sizeof(int));
    for (int i = 0; i < n; i++)
        numbers[i] = i;
    int total = 0;
    for (int i = 0; i < n; i++)
        total += numbers[i];
    return total;
}

static void *worker(void *result)
{
    char *text;
    {
        text = __builtin_alloca(4);
    }
    text[3] = 1;
    *(int *)result = text[3];
    return 0;
}

int main(void)
{
    int result = 0;
    pthread_t thread;
    pthread_create(&thread, 0, worker, &result);
    assert(sum(3) == 3 && sum(0) == 0 && sum(5) == 10);
    pthread_join(thread, 0);
    assert(result == 1);
    return 0;
}
