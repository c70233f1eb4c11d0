// sley: reach=true race=true deadlock=true memory=true overflow=true
// An argument with a constant value can still have an effect: it is evaluated.
#include <assert.h>
#include <pthread.h>
#include <string.h>

int count = 0;

int four(void) {
    count++;
    return 4;
}

void *worker(void *unused) {
    char from[4] = "abc", to[4];
    memcpy(to, from, (count++, 4));
    memset(from, (count++, 0), 4);
    memset(to, 0, (four(), 4));
    memmove(to, from, (four(), 4));
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    pthread_join(thread, 0);
    assert(count == 4);
    return 0;
}
