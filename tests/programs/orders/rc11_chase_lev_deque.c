// sley: reach=true race=true deadlock=true memory=true overflow=true
// The deque of Chase and Lev with the orders of Le, Pop, Cohen, Zappa Nardelli (PPoPP 2013), of fixed size: no
// element is taken twice.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int top, bottom, elements[2];
static int taken_by_owner, taken_by_thief;

static void push(int value)
{
    int b = atomic_load_explicit(&bottom, memory_order_relaxed);
    atomic_store_explicit(&elements[b % 2], value, memory_order_relaxed);
    atomic_thread_fence(memory_order_release);
    atomic_store_explicit(&bottom, b + 1, memory_order_relaxed);
}

static int take(void)
{
    int b = atomic_load_explicit(&bottom, memory_order_relaxed) - 1;
    atomic_store_explicit(&bottom, b, memory_order_relaxed);
    atomic_thread_fence(memory_order_seq_cst);
    int t = atomic_load_explicit(&top, memory_order_relaxed), value = 0;
    if (t <= b) {
        value = atomic_load_explicit(&elements[b % 2], memory_order_relaxed);
        if (t == b) {
            if (!atomic_compare_exchange_strong_explicit(&top, &t, t + 1, memory_order_seq_cst, memory_order_relaxed))
                value = 0;
            atomic_store_explicit(&bottom, b + 1, memory_order_relaxed);
        }
    } else {
        atomic_store_explicit(&bottom, b + 1, memory_order_relaxed);
    }
    return value;
}

static int steal(void)
{
    int t = atomic_load_explicit(&top, memory_order_acquire);
    atomic_thread_fence(memory_order_seq_cst);
    int b = atomic_load_explicit(&bottom, memory_order_acquire), value = 0;
    if (t < b) {
        value = atomic_load_explicit(&elements[t % 2], memory_order_relaxed);
        if (!atomic_compare_exchange_strong_explicit(&top, &t, t + 1, memory_order_seq_cst, memory_order_relaxed))
            return 0;
    }
    return value;
}

static void *thief(void *argument)
{
    steal();
    taken_by_thief = steal();
    return 0;
}

int main(void)
{
    pthread_t thread;
    push(1);
    push(2);
    pthread_create(&thread, 0, thief, 0);
    taken_by_owner = take();
    pthread_join(thread, 0);
    assert(taken_by_owner == 0 || taken_by_owner != taken_by_thief);
    return 0;
}
