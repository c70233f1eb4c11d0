#include <pthread.h>

pthread_mutex_t from = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t to = PTHREAD_MUTEX_INITIALIZER;
int balance_from = 100, balance_to = 100;

void *deposit(void *unused) {
    pthread_mutex_lock(&from);
    pthread_mutex_lock(&to);
    balance_from -= 10;
    balance_to += 10;
    pthread_mutex_unlock(&to);
    pthread_mutex_unlock(&from);
    return 0;
}

void *refund(void *unused) {
    pthread_mutex_lock(&to);
    pthread_mutex_lock(&from);
    balance_to -= 10;
    balance_from += 10;
    pthread_mutex_unlock(&from);
    pthread_mutex_unlock(&to);
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, deposit, 0);
    pthread_create(&b, 0, refund, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
