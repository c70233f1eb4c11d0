// sley: reach=true race=true deadlock=true memory=false overflow=true
// Two threads publish a block each in the same place; if both do, one is lost.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

_Atomic(int *) published;

void *publisher(void *unused)
{
    if (!published)
        published = malloc(sizeof(int));
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, publisher, 0);
    publisher(0);
    pthread_join(thread, 0);
    free(published);
    return 0;
}
