// sley: misuse=false
// A condition variable in a block from malloc is destroyed without having been initialised.
#include <pthread.h>
#include <stdlib.h>

int main(void)
{
    pthread_cond_t *c = malloc(sizeof *c);
    pthread_cond_destroy(c);
    free(c);
    return 0;
}
