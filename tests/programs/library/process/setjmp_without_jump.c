// sley: reach=false race=true deadlock=true memory=true overflow=true
// A place to jump back to that nobody jumps to: what comes after it is checked as usual.
#include <assert.h>
#include <pthread.h>
#include <setjmp.h>

jmp_buf place;
int value = 0;

void *worker(void *unused) {
    if (setjmp(place) == 0)
        value = 1;
    else
        value = 2;
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    pthread_join(thread, 0);
    assert(value == 2);
    return 0;
}
