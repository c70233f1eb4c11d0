// sley: race=false
// Without "memory" among what it changes, the compiler may move other accesses across the instruction.
#include <pthread.h>

static int data, ready;

static int exchange(int *target, int value)
{
    __asm__ __volatile__("xchgl %0, %1" : "+r"(value), "+m"(*target));
    return value;
}

static void *worker(void *unused)
{
    data = 1;
    exchange(&ready, 1);
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    int seen = exchange(&ready, 2) ? data : 0;
    pthread_join(thread, 0);
    return seen;
}
