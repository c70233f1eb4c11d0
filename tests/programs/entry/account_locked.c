// sley: reach=true race=true deadlock=true memory=true overflow=true args="--entry withdraw --setup open_account --threads 3"
// As account_unlocked, but to look and to take is one critical section.

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

void withdraw(struct account *a) {
    pthread_mutex_lock(&a->lock);
    if (a->money >= 1)
        a->money--;
    assert(a->money >= 0);
    pthread_mutex_unlock(&a->lock);
}
