// sley: reach=true race=false deadlock=true memory=true overflow=true
// Two threads of one function, created in a loop, write the same variable.
#include <assert.h>
#include <pthread.h>

int x;

void *worker(void *unused) {
    x = 1;
    return 0;
}

int main(void) {
    for (int i = 0; i < 2; i++) {
        pthread_t id;
        pthread_create(&id, 0, worker, 0);
    }
    return 0;
}
