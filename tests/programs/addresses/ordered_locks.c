// sley: reach=true race=true deadlock=true memory=true overflow=true
// Two accounts are locked in the order of their addresses: no deadlock, wherever they lie.
#include <pthread.h>
#include <stdint.h>

typedef struct { pthread_mutex_t lock; int balance; } account;

account savings = {PTHREAD_MUTEX_INITIALIZER, 10}, cheque = {PTHREAD_MUTEX_INITIALIZER, 10};

void transfer(account *from, account *to)
{
    account *first = (uintptr_t)from < (uintptr_t)to ? from : to;
    account *second = first == from ? to : from;
    pthread_mutex_lock(&first->lock);
    pthread_mutex_lock(&second->lock);
    from->balance--;
    to->balance++;
    pthread_mutex_unlock(&second->lock);
    pthread_mutex_unlock(&first->lock);
}

void *back(void *unused)
{
    transfer(&cheque, &savings);
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, back, 0);
    transfer(&savings, &cheque);
    pthread_join(thread, 0);
    return 0;
}
