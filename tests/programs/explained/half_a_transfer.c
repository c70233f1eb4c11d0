// sley: reach=false race=true deadlock=true memory=true overflow=true
// A transfer is two locked steps, and the audit comes in between.
// why: audit reads `checking` = 20, which transfer wrote in step \d+, together with `savings` = 50
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int checking = 50, savings = 50;

static void add(int *account, int amount)
{
    pthread_mutex_lock(&lock);
    *account += amount;  // decisive
    pthread_mutex_unlock(&lock);
}

static void *transfer(void *unused)
{
    add(&checking, -30);
    add(&savings, 30);
    return NULL;
}

static void *audit(void *unused)
{
    pthread_mutex_lock(&lock);
    int total = checking + savings;  // decisive
    pthread_mutex_unlock(&lock);
    assert(total == 100);
    return NULL;
}

int main(void)
{
    pthread_t clerk, auditor;
    pthread_create(&clerk, NULL, transfer, NULL);
    pthread_create(&auditor, NULL, audit, NULL);
    pthread_join(clerk, NULL);
    pthread_join(auditor, NULL);
    return 0;
}
