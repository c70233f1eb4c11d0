// sley: reach=true race=true deadlock=true memory=false overflow=true
// The element behind the last one of a flexible array is outside the block.
#include <stdlib.h>

struct packet { int count; int items[]; };

int main(void)
{
    struct packet *packet = malloc(sizeof *packet + 3 * sizeof packet->items[0]);
    packet->items[3] = 1;
    free(packet);
    return 0;
}
