// sley: reach=true race=true deadlock=true memory=false overflow=true
// Two threads write to any place of a large table, or just behind it.
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

int table[70];
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *writer(void *unused)
{
    int place = __VERIFIER_nondet_int();
    if (place >= 0 && place <= 70) {
        pthread_mutex_lock(&lock);
        table[place] = place;
        assert(table[place] == place);
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

int main(void)
{
    pthread_t one, other;
    pthread_create(&one, 0, writer, 0);
    pthread_create(&other, 0, writer, 0);
    pthread_join(one, 0);
    pthread_join(other, 0);
    return 0;
}
