// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=true
// Each account has its own mutex in its heap block; transfers lock in the order of the numbers.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct account {
    int number;
    pthread_mutex_t lock;
    int balance;
};

struct account *accounts[2];

static struct account *open_account(int number)
{
    struct account *account = malloc(sizeof(struct account));
    account->number = number;
    pthread_mutex_init(&account->lock, 0);
    account->balance = 10;
    return account;
}

static void transfer(struct account *from, struct account *to)
{
    struct account *low = from->number < to->number ? from : to;
    struct account *high = low == from ? to : from;
    pthread_mutex_lock(&low->lock);
    pthread_mutex_lock(&high->lock);
    from->balance -= 5;
    to->balance += 5;
    pthread_mutex_unlock(&high->lock);
    pthread_mutex_unlock(&low->lock);
}

void *worker(void *unused)
{
    transfer(accounts[1], accounts[0]);
    return 0;
}

int main(void)
{
    pthread_t thread;
    for (int i = 0; i < 2; i++)
        accounts[i] = open_account(i);
    pthread_create(&thread, 0, worker, 0);
    transfer(accounts[0], accounts[1]);
    pthread_join(thread, 0);
    assert(accounts[0]->balance == 10 && accounts[1]->balance == 10);
    for (int i = 0; i < 2; i++) {
        pthread_mutex_destroy(&accounts[i]->lock);
        free(accounts[i]);
    }
    return 0;
}
