// sley: reach=true race=true deadlock=true memory=true overflow=true
// A bit-field of width zero separates memory locations.
#include <assert.h>
#include <pthread.h>

struct {
    unsigned left : 4;
    unsigned : 0;
    unsigned right : 4;
} flags;

void *worker(void *unused)
{
    flags.left = 1;
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    flags.right = 2;
    pthread_join(thread, 0);
    assert(flags.left == 1 && flags.right == 2);
    return 0;
}
