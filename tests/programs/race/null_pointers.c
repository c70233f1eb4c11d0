// sley: reach=true race=true deadlock=true memory=false overflow=true
// Two threads write through null pointers: wrong, but there is no memory that both of them write.
#include <pthread.h>

int *first, *second;

void *write_first(void *unused) {
    *first = 1;
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, write_first, 0);
    *second = 2;
    pthread_join(thread, 0);
    return 0;
}
