// expect: bug
// Two threads call a lift, which serves the higher floor first. From the Nth passenger on it clears the list of a
// floor only after it has let the lock go, and so forgets who came meanwhile.
#include <assert.h>
#include <pthread.h>

int waiting[2], calls, served;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
extern unsigned char __VERIFIER_nondet_uchar(void);

void *caller(void *unused)
{
    for (int i = 0; i < N; i++) {
        int floor = __VERIFIER_nondet_uchar() & 1;
        pthread_mutex_lock(&lock);
        waiting[floor] = waiting[floor] + 1;
        calls = calls + 1;
        pthread_mutex_unlock(&lock);
    }
    return 0;
}

void *lift(void *unused)
{
    for (int i = 0; i < N; i++) {
        int floor, is_late;
        pthread_mutex_lock(&lock);
        floor = waiting[1] > 0;
        served = served + waiting[floor];
        is_late = served >= N;
        if (!is_late)
            waiting[floor] = 0;
        pthread_mutex_unlock(&lock);
        if (is_late)
            waiting[floor] = 0;
    }
    return 0;
}

int main(void)
{
    pthread_t one, two, three;
    pthread_create(&one, 0, caller, 0);
    pthread_create(&two, 0, caller, 0);
    pthread_create(&three, 0, lift, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    pthread_join(three, 0);
    assert(served + waiting[0] + waiting[1] == calls);
    return 0;
}
