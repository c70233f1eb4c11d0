// sley: reach=true race=true deadlock=true memory=true overflow=true
// Neighbouring fields are different memory locations, even single bytes.
#include <assert.h>
#include <pthread.h>

struct {
    char left;
    char right;
} pair;

void *worker(void *unused)
{
    pair.left = 1;
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    pair.right = 2;
    pthread_join(thread, 0);
    assert(pair.left == 1 && pair.right == 2);
    return 0;
}
