// sley: reach=true race=true deadlock=true memory=true overflow=true
// One thread goes through a loop three thousand times before another one begins.
#include <assert.h>
#include <pthread.h>

static unsigned odd, state = 1;

static void *reader(void *unused)
{
    assert(odd <= 3000);
    return 0;
}

int main(void)
{
    pthread_t thread;
    for (int i = 0; i < 3000; i++) {
        state = state * 1664525u + 1013904223u;
        odd += state >> 31;
    }
    pthread_create(&thread, 0, reader, 0);
    pthread_join(thread, 0);
    return 0;
}
