// sley: reach=false race=true deadlock=true memory=true overflow=true
// Every access to the balance is locked, but a deposit is two of them.
// why: deposit #\d reads `balance` .* overwritten unseen
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int balance = 100;

static int get_balance(void)
{
    pthread_mutex_lock(&lock);
    int value = balance;  // decisive
    pthread_mutex_unlock(&lock);
    return value;
}

static void set_balance(int value)
{
    pthread_mutex_lock(&lock);
    balance = value;  // decisive
    pthread_mutex_unlock(&lock);
}

static void *deposit(void *amount)
{
    set_balance(get_balance() + (int)(long)amount);
    return NULL;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, deposit, (void *)10L);
    pthread_create(&two, NULL, deposit, (void *)20L);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(get_balance() == 130);
    return 0;
}
