// sley: reach=true race=true deadlock=true memory=true overflow=true
// To free a null pointer is no access.
#include <pthread.h>
#include <stdlib.h>

void *freeing(void *block)
{
    free(block);
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, freeing, 0);
    free(0);
    pthread_join(thread, 0);
    return 0;
}
