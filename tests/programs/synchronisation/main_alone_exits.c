// sley: reach=true race=true deadlock=true memory=false overflow=true misuse=true
// There is only main, which leaves by pthread_exit: the process ends, and its local pointer was the only one.
#include <pthread.h>
#include <stdlib.h>

int main(void)
{
    int *own = malloc(sizeof *own);
    *own = 1;
    pthread_exit(0);
}
