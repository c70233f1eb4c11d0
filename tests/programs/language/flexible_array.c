// sley: reach=true race=true deadlock=true memory=true overflow=true
// A struct that ends with an array without a size, in a block that has room for three elements.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct packet { int count; int items[]; };

static void *fill(void *argument)
{
    struct packet *packet = argument;
    for (int i = 0; i < packet->count; i++)
        packet->items[i] = i * i;
    return 0;
}

int main(void)
{
    struct packet *packet = malloc(sizeof *packet + 3 * sizeof packet->items[0]);
    packet->count = 3;
    pthread_t thread;
    pthread_create(&thread, 0, fill, packet);
    pthread_join(thread, 0);
    assert(packet->items[0] == 0 && packet->items[2] == 4 && sizeof *packet == sizeof(int));
    free(packet);
    return 0;
}
