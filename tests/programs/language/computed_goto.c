// sley: reach=true race=true deadlock=true memory=true overflow=true
// Two threads interpret small programs by jumping through a table of labels, in and out of blocks.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int run(const char *code)
{
    static void *const table[] = { &&add, &&halve, &&stop };
    int value = 0;
    goto *table[(int)*code++];
add:
    value += 3;
    goto *table[(int)*code++];
halve: {
    int divisor[1] = { 2 };
    value /= divisor[0];
    goto *table[(int)*code++];
}
stop:
    return value;
}

static void *worker(void *unused)
{
    static const char code[] = { 0, 1, 2 };
    assert(run(code) == 1);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    static const char code[] = { 0, 0, 1, 0, 2 };
    void *next = &&wrong;
    pthread_create(&thread, NULL, worker, NULL);
    if (run(code) == 6)
        next = &&right;
    goto *next;
wrong:
    assert(0);
right:
    pthread_join(thread, NULL);
    return 0;
}
