// sley: reach=true race=true deadlock=true memory=true overflow=true
// Definitions in the style of Kernighan and Ritchie: arguments are promoted on the way.
#include <assert.h>
#include <pthread.h>

int mixed(a, b, c, p)
    char a;
    float b;
    short c;
    int *p;
{
    return a + (int)b + c + *p;
}

void *worker(argument)
    void *argument;
{
    *(int *)argument = mixed(1, 2.5f, 3, argument);
    return 0;
}

int main()
{
    pthread_t thread;
    int value = 4;
    pthread_create(&thread, 0, worker, &value);
    pthread_join(thread, 0);
    assert(value == 10);
    return 0;
}
