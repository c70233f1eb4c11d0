// sley: reach=true race=true deadlock=true memory=false overflow=true
// Two threads write to any place of a block of any size, or just behind it, one after another under a lock.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int *numbers;
int length;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *writer(void *unused)
{
    int place = __VERIFIER_nondet_int();
    if (place >= 0 && place <= length) {
        pthread_mutex_lock(&lock);
        numbers[place] = place;
        assert(numbers[place] == place);
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

int main(void)
{
    pthread_t one, other;
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n >= 1000)
        return 0;
    numbers = malloc(n * sizeof *numbers);
    length = n;
    pthread_create(&one, 0, writer, 0);
    pthread_create(&other, 0, writer, 0);
    pthread_join(one, 0);
    pthread_join(other, 0);
    free(numbers);
    return 0;
}
