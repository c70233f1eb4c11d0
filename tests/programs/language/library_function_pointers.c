// sley: reach=true race=true deadlock=true memory=true overflow=true
// Functions of the library are called through pointers: an allocator, its opposite, and a printer.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct pool {
    void *(*get)(size_t);
    void (*put)(void *);
    int (*print)(const char *, ...);
};

static void *worker(void *argument)
{
    struct pool *pool = argument;
    int *number = pool->get(sizeof(int));
    *number = 4;
    pool->print("%d\n", *number);
    assert(*number == 4);
    pool->put(number);
    return 0;
}

int main(void)
{
    struct pool pool = { malloc, free, printf };
    pthread_t thread;
    pthread_create(&thread, 0, worker, &pool);
    pthread_join(thread, 0);
    return 0;
}
