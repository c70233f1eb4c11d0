// sley: reach=true race=false deadlock=true memory=false overflow=true
// Two threads free the same block, one of them through a pointer into a table: two accesses that nothing orders.
#include <pthread.h>
#include <stdlib.h>

char *table[2];

void *freeing(void *unused)
{
    free(table[1]);
    return 0;
}

int main(void)
{
    pthread_t thread;
    char *block = malloc(3);
    table[1] = block;
    pthread_create(&thread, 0, freeing, 0);
    free(block);
    pthread_join(thread, 0);
    return 0;
}
