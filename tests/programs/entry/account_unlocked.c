// sley: reach=false race=true deadlock=true memory=true overflow=true args="--entry withdraw --setup open_account"
// Callers get the account that `open_account` has filled: both see enough money, and both take it.

#include <assert.h>
#include <pthread.h>

struct account {
    pthread_mutex_t lock;
    int money;
};

int open_account(struct account *a) {
    pthread_mutex_init(&a->lock, 0);
    a->money = 1;
    return 0;
}

static int money(struct account *a) {
    pthread_mutex_lock(&a->lock);
    int found = a->money;
    pthread_mutex_unlock(&a->lock);
    return found;
}

void withdraw(struct account *a) {
    if (money(a) < 1)
        return;
    pthread_mutex_lock(&a->lock);
    a->money--;
    assert(a->money >= 0);
    pthread_mutex_unlock(&a->lock);
}
