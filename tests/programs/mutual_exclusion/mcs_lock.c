// sley: reach=true race=true deadlock=true memory=true overflow=true
// The queue lock of Mellor-Crummey and Scott: every thread spins on a flag of its own.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct waiter {
    _Atomic(struct waiter *) next;
    atomic_bool is_locked;
};

_Atomic(struct waiter *) tail;
struct waiter waiters[2];
int counter;

static void visit(struct waiter *self)
{
    self->next = NULL;
    self->is_locked = 1;
    struct waiter *before = atomic_exchange(&tail, self);
    if (before != NULL) {
        before->next = self;
        while (self->is_locked)
            ;
    }
    counter++;
    struct waiter *expected = self;
    if (self->next == NULL && atomic_compare_exchange_strong(&tail, &expected, NULL))
        return;
    while (self->next == NULL)
        ;
    self->next->is_locked = 0;
}

void *worker(void *self)
{
    visit(self);
    return 0;
}

int main(void)
{
    pthread_t other;
    pthread_create(&other, 0, worker, &waiters[1]);
    visit(&waiters[0]);
    pthread_join(other, 0);
    assert(counter == 2);
    return 0;
}
