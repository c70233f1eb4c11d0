// sley: reach=true race=true deadlock=false memory=true overflow=true
// Money goes both ways at a time, and each transfer locks the giving account first.
#include <pthread.h>

struct account {
    pthread_mutex_t lock;
    int balance;
};

static struct account accounts[2] = {
    {PTHREAD_MUTEX_INITIALIZER, 100},
    {PTHREAD_MUTEX_INITIALIZER, 50},
};

struct order {
    int from, to, amount;
};

static void *transfer(void *arg)
{
    const struct order *o = arg;
    struct account *from = &accounts[o->from], *to = &accounts[o->to];
    pthread_mutex_lock(&from->lock);
    pthread_mutex_lock(&to->lock);
    if (from->balance >= o->amount) {
        from->balance -= o->amount;
        to->balance += o->amount;
    }
    pthread_mutex_unlock(&to->lock);
    pthread_mutex_unlock(&from->lock);
    return NULL;
}

int main(void)
{
    static struct order orders[2] = {{0, 1, 30}, {1, 0, 20}};
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, transfer, &orders[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
