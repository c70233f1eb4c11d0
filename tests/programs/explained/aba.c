// sley: reach=false race=true deadlock=true memory=true overflow=true
// A free list of indices: the head is the same again, but not what is behind it.
// why: client reads `head` = 0 .* recycler changes it to 1 .* and back to 0 .* ABA
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { NONE = -1 };
static atomic_int next[2] = {1, NONE};
static atomic_int head;
static atomic_int is_used[2];

static int take(void)
{
    int first = head, second;  // decisive
    do {
        if (first == NONE)
            return NONE;
        second = next[first];
    } while (!atomic_compare_exchange_strong(&head, &first, second));  // decisive
    assert(atomic_exchange(&is_used[first], 1) == 0);
    return first;
}

static void give_back(int block)
{
    is_used[block] = 0;
    next[block] = head;
    head = block;  // decisive
}

static void *client(void *unused)
{
    take();
    take();
    return NULL;
}

static void *recycler(void *unused)
{
    int one = take();
    take();
    if (one != NONE)
        give_back(one);
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, client, NULL);
    pthread_create(&threads[1], NULL, recycler, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
