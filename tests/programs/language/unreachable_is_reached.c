// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=false
// A thread gets to where the program promises that nobody does.
#include <pthread.h>
#include <stdatomic.h>

atomic_int turn;

static void *worker(void *unused)
{
    switch (atomic_load(&turn)) {
    case 0:
        return 0;
    default:
        __builtin_unreachable();
    }
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    atomic_store(&turn, 1);
    pthread_join(thread, 0);
    return 0;
}
