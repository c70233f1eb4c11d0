// sley: unmodelled=true
// Whether there is a race depends on what the unknown functions do: they may be a lock.
#include <pthread.h>

extern void enter(void *gate);
extern void leave(void *gate);
int gate;
int counter;

void *worker(void *unused)
{
    enter(&gate);
    counter++;
    leave(&gate);
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
