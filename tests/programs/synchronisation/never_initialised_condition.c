// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=false
// A condition variable in a block from malloc is signalled before it is initialised.
#include <pthread.h>
#include <stdlib.h>

int main(void)
{
    pthread_cond_t *c = malloc(sizeof *c);
    pthread_cond_signal(c);
    free(c);
    return 0;
}
