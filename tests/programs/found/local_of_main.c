// sley: reach=true deadlock=true memory=false overflow=true
// main returns before the process ends: another thread can still use a local variable of main that is gone.
#include <assert.h>
#include <pthread.h>

void *worker(void *argument) {
    int *number = argument;
    assert(*number == 1);
    return 0;
}

int main(void) {
    int number = 1;
    pthread_t thread;
    pthread_create(&thread, 0, worker, &number);
    return 0;
}
