// sley: reach=true race=true deadlock=true memory=true overflow=true
// Treiber's stack with a tag beside the top: a top that has changed in between never looks the same.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { NONE = 0, A = 1, B = 2 };
atomic_uint top = A;
atomic_int below[3] = {NONE, B, NONE};
atomic_int owners[3];

static unsigned next_top(unsigned old, int node)
{
    return (((old >> 8) + 1) << 8) | (unsigned)node;
}

static int pop(void)
{
    for (;;) {
        unsigned old = top;
        int node = old & 255;
        if (node == NONE)
            return NONE;
        int next = below[node];
        if (atomic_compare_exchange_strong(&top, &old, next_top(old, next)))
            return node;
    }
}

static void push(int node)
{
    unsigned old = top;
    do
        below[node] = old & 255;
    while (!atomic_compare_exchange_strong(&top, &old, next_top(old, node)));
}

static void take(int node)
{
    assert(node == NONE || atomic_fetch_add(&owners[node], 1) == 0);
}

void *popper(void *unused)
{
    take(pop());
    take(pop());
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, popper, 0);
    int first = pop();
    take(pop());
    if (first != NONE)
        push(first);
    pthread_join(thread, 0);
    return 0;
}
