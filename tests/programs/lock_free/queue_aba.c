// sley: reach=false race=true deadlock=true memory=true overflow=true
// A linked queue whose old dummy node is used again at once: the slow consumer takes an item twice.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { NONE = -1 };
atomic_int next[2] = {1, NONE};
atomic_int value[2] = {0, 1};
atomic_int head = 0, tail = 1;
atomic_int taken[3];

static int dequeue(int *dummy)
{
    for (;;) {
        int old = head;
        int first = next[old];
        if (first == NONE)
            return 0;
        int item = value[first];
        *dummy = old;
        if (atomic_compare_exchange_strong(&head, &old, first)) {
            assert(atomic_fetch_add(&taken[item], 1) == 0);
            return item;
        }
    }
}

static void enqueue(int node, int item)
{
    value[node] = item;
    next[node] = NONE;
    next[tail] = node;
    tail = node;
}

void *slow(void *unused)
{
    int dummy;
    dequeue(&dummy);
    return 0;
}

int main(void)
{
    pthread_t thread;
    int dummy;
    pthread_create(&thread, 0, slow, 0);
    if (dequeue(&dummy)) {
        enqueue(dummy, 2);
        dequeue(&dummy);
    }
    pthread_join(thread, 0);
    return 0;
}
