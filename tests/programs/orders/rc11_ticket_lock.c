// sley: reach=true race=true deadlock=true memory=true overflow=true
// A ticket lock: tickets may be drawn in any order, but who is served must see what those before it did.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int next_ticket, now_serving;
static int counter;

static void *worker(void *argument)
{
    int mine = atomic_fetch_add_explicit(&next_ticket, 1, memory_order_relaxed);
    while (atomic_load_explicit(&now_serving, memory_order_acquire) != mine)
        ;
    counter++;
    atomic_store_explicit(&now_serving, mine + 1, memory_order_release);
    return 0;
}

int main(void)
{
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], 0, worker, 0);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], 0);
    assert(counter == 3);
    return 0;
}
