// sley: reach=false race=false deadlock=true memory=true overflow=true
// A ticket lock whose tickets are read and advanced in two steps: two customers hold the same ticket.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_uint next_ticket, now_serving;
int counter;

void *customer(void *unused)
{
    unsigned ticket = next_ticket;
    next_ticket = ticket + 1;
    while (now_serving != ticket)
        ;
    counter++;
    now_serving = ticket + 1;
    return 0;
}

int main(void)
{
    pthread_t other;
    pthread_create(&other, 0, customer, 0);
    customer(0);
    pthread_join(other, 0);
    assert(counter == 2);
    return 0;
}
