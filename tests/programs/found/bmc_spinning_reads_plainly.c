// sley: race=false
// A round of the loop reads plainly what somebody writes who was told, by a relaxed store, that the loop is over.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int is_ready, is_over;
static int data;

static void *waiter(void *argument)
{
    int last = 0;
    while (!atomic_load_explicit(&is_ready, memory_order_acquire))
        last = data;
    atomic_store_explicit(&is_over, 1, memory_order_relaxed);
    (void)last;
    return 0;
}

static void *writer(void *argument)
{
    if (atomic_load_explicit(&is_over, memory_order_relaxed))
        data = 1;
    return 0;
}

static void *starter(void *argument)
{
    atomic_store_explicit(&is_ready, 1, memory_order_release);
    return 0;
}

int main(void)
{
    pthread_t one, two, three;
    pthread_create(&one, 0, waiter, 0);
    pthread_create(&two, 0, writer, 0);
    pthread_create(&three, 0, starter, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    pthread_join(three, 0);
    return 0;
}
