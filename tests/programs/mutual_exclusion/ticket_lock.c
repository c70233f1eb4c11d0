// sley: reach=true race=true deadlock=true memory=true overflow=true
// A ticket lock: fetch-and-add hands out the tickets, three threads are served in order.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_uint next_ticket, now_serving;
int counter;

void *customer(void *unused)
{
    unsigned ticket = atomic_fetch_add(&next_ticket, 1);
    while (now_serving != ticket)
        ;
    counter++;
    now_serving = ticket + 1;
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, customer, 0);
    pthread_create(&b, 0, customer, 0);
    customer(0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(counter == 3);
    return 0;
}
