// sley: reach=true race=true deadlock=true memory=true overflow=true
// A table is made once, by the thread that needs it first.
#include <assert.h>
#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int squares[5], made;

static void make(void)
{
    for (int i = 0; i < 5; i++)
        squares[i] = i * i;
    made++;
}

static int square(int n)
{
    pthread_once(&once, make);
    return squares[n];
}

static void *use(void *arg)
{
    int n = *(int *)arg;
    assert(square(n) == n * n);
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    int numbers[2] = {3, 4};
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, use, &numbers[i]);
    assert(square(2) == 4);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert(made == 1);
    return 0;
}
