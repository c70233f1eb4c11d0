// sley: reach=true race=true deadlock=true memory=true overflow=true
// Within one object the order and distance of addresses are those of the elements.
#include <assert.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

struct pair { int first, second; };

int main(void)
{
    int v[4];
    int *heap = malloc(8 * sizeof *heap);
    struct pair p;
    int sum = 0;
    assert(&v[1] < &v[3] && &v[4] - &v[0] == 4);
    assert((uintptr_t)&heap[5] > (uintptr_t)&heap[2]);
    assert((char *)&heap[7] - (char *)heap == 28);
    assert((uintptr_t)&p.second - (uintptr_t)&p.first == offsetof(struct pair, second));
    for (int *at = heap; at < heap + 8; at++)
        *at = 1;
    for (int *at = heap + 8; at != heap; at--)
        sum += at[-1];
    assert(sum == 8);
    free(heap);
    return 0;
}
