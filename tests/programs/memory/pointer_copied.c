// sley: reach=false race=false deadlock=true memory=true overflow=true
// A pointer to a local variable reaches the other thread by memcpy, so the write through it is seen.
#include <assert.h>
#include <pthread.h>
#include <string.h>

int *shared;

void *writer(void *unused)
{
    *shared = 4;
    return 0;
}

int main(void)
{
    int local = 0;
    int *pointer = &local;
    pthread_t thread;
    memcpy(&shared, &pointer, sizeof pointer);
    pthread_create(&thread, 0, writer, 0);
    assert(local == 0);
    pthread_join(thread, 0);
    return 0;
}
