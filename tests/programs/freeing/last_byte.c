// sley: reach=true race=false deadlock=true memory=false overflow=true
// The thread uses only the last byte of the block: free is an access to all of it.
#include <pthread.h>
#include <stdlib.h>

char *last;

void *writer(void *unused)
{
    *last = 'x';
    return 0;
}

int main(void)
{
    pthread_t thread;
    char *block = malloc(5);
    last = block + 4;
    pthread_create(&thread, 0, writer, 0);
    free(block);
    pthread_join(thread, 0);
    return 0;
}
