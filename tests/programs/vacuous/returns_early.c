// sley: reach=true race=true deadlock=true memory=true overflow=true
// A constructor that always fails: main returns before it starts the threads that would race.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct base {
    int count;
};

static struct base *shared;

static struct base *base_new(void) { return NULL; }

static void *work(void *unused) {
    shared->count++;
    return unused;
}

int main(void) {
    pthread_t a, b;
    shared = base_new();
    if (!shared)
        return 1;
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(shared->count == 2);
    return 0;
}
