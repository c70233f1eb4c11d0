// sley: memory=false
// The bytes of a pointer are copied one by one by another thread, which frees what they name.
#include <pthread.h>
#include <stdlib.h>

int *block;
unsigned char bytes[sizeof(int *)];

void *release(void *unused)
{
    int *copy;
    for (unsigned i = 0; i < sizeof copy; i++)
        ((unsigned char *)&copy)[i] = bytes[i];
    free(copy);
    return 0;
}

int main(void)
{
    pthread_t thread;
    block = malloc(sizeof *block);
    for (unsigned i = 0; i < sizeof block; i++)
        bytes[i] = ((unsigned char *)&block)[i];
    pthread_create(&thread, 0, release, 0);
    *block = 1;
    pthread_join(thread, 0);
    return 0;
}
