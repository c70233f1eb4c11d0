// sley: reach=false race=true deadlock=true memory=true overflow=true
// Treiber's stack with reused nodes: between read and swap the top goes from A over B back to A.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { NONE = 0, A = 1, B = 2 };
atomic_int top = A;
atomic_int below[3] = {NONE, B, NONE};
atomic_int owners[3];

static int pop(void)
{
    for (;;) {
        int node = top;
        if (node == NONE)
            return NONE;
        int next = below[node];
        if (atomic_compare_exchange_strong(&top, &node, next))
            return node;
    }
}

static void push(int node)
{
    int old = top;
    do
        below[node] = old;
    while (!atomic_compare_exchange_strong(&top, &old, node));
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
