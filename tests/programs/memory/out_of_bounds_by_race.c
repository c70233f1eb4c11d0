// sley: reach=true race=true deadlock=true memory=false overflow=true
// Two threads pass the check of a stack with one place left, then both push.
#include <pthread.h>
#include <stdatomic.h>

atomic_int height = 1;
atomic_int places[2];

void *push(void *unused)
{
    if (height < 2) {
        int top = height++;
        places[top] = 1;
    }
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, push, 0);
    push(0);
    pthread_join(thread, 0);
    return 0;
}
