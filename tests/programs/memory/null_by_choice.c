// sley: reach=true race=true deadlock=true memory=false overflow=true
// A null pointer is used.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int x;
int y;

void *worker(void *unused) {
    x = 1;
    return 0;
}

int main(void) {
    pthread_t id;
    pthread_create(&id, 0, worker, 0);
    int *p = x ? 0 : &y;
    *p = 1;
    pthread_join(id, 0);
}
