// sley: reach=true race=true deadlock=true memory=true overflow=true
// The linked queue without reuse of nodes: every item is taken at most once.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { NONE = -1 };
atomic_int next[3] = {1, NONE, NONE};
atomic_int value[3] = {0, 1, 0};
atomic_int head = 0, tail = 1;
atomic_int taken[3];

static int dequeue(void)
{
    for (;;) {
        int old = head;
        int first = next[old];
        if (first == NONE)
            return 0;
        int item = value[first];
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
    dequeue();
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, slow, 0);
    if (dequeue()) {
        enqueue(2, 2);
        dequeue();
    }
    pthread_join(thread, 0);
    return 0;
}
