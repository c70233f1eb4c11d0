// sley: reach=true race=true deadlock=false memory=true overflow=true
// Two transfers in opposite directions lock the accounts in opposite order.
// why: payment waits for `accounts\[1\].lock` .* which refund holds since step \d+ .* refund waits for `accounts\[0\].lock`
#include <pthread.h>

struct account {
    pthread_mutex_t lock;
    int balance;
};

static struct account accounts[2] = {
    {PTHREAD_MUTEX_INITIALIZER, 100},
    {PTHREAD_MUTEX_INITIALIZER, 100},
};

static void transfer(struct account *from, struct account *to, int amount)
{
    pthread_mutex_lock(&from->lock);  // decisive
    pthread_mutex_lock(&to->lock);  // decisive
    from->balance -= amount;
    to->balance += amount;
    pthread_mutex_unlock(&to->lock);
    pthread_mutex_unlock(&from->lock);
}

static void *payment(void *unused)
{
    transfer(&accounts[0], &accounts[1], 10);
    return NULL;
}

static void *refund(void *unused)
{
    transfer(&accounts[1], &accounts[0], 20);
    return NULL;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, payment, NULL);
    pthread_create(&two, NULL, refund, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
