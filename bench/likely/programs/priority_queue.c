// expect: safe
// Two threads insert numbers into a sorted list of three, one takes the largest: it is never below what stays.
#include <assert.h>
#include <pthread.h>

#define PLACES 3
int place[PLACES], count;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
extern unsigned char __VERIFIER_nondet_uchar(void);

void *insert(void *unused)
{
    for (int i = 0; i < N; i++) {
        int priority = __VERIFIER_nondet_uchar() & 3;
        pthread_mutex_lock(&lock);
        if (count < PLACES) {
            int k = count;
            if (k == 2 && place[1] > priority) {
                place[2] = place[1];
                k = 1;
            }
            if (k == 1 && place[0] > priority) {
                place[1] = place[0];
                k = 0;
            }
            place[k] = priority;
            count = count + 1;
        }
        pthread_mutex_unlock(&lock);
    }
    return 0;
}

void *take(void *unused)
{
    for (int i = 0; i < N; i++) {
        pthread_mutex_lock(&lock);
        if (count > 0) {
            count = count - 1;
            if (count > 0)
                assert(place[count] >= place[count - 1]);
        }
        pthread_mutex_unlock(&lock);
    }
    return 0;
}

int main(void)
{
    pthread_t one, two, three;
    pthread_create(&one, 0, insert, 0);
    pthread_create(&two, 0, insert, 0);
    pthread_create(&three, 0, take, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    pthread_join(three, 0);
    return 0;
}
