// expect: bug
// The motivating example of the work on likely data-flow invariants: one thread counts up to N and adds, the
// other waits for that, adds too, and asserts that nobody did in between.
#include <assert.h>
#include <pthread.h>

int x, y;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

int get(int *from)
{
    pthread_mutex_lock(&lock);
    int value = *from;
    pthread_mutex_unlock(&lock);
    return value;
}

void set(int *to, int value)
{
    pthread_mutex_lock(&lock);
    *to = value;
    pthread_mutex_unlock(&lock);
}

void *counter(void *unused)
{
    while (get(&y) < N) {
        set(&y, get(&y) + 1);
        set(&x, get(&x) + get(&y));
    }
    return 0;
}

void *waiter(void *unused)
{
    for (int i = 0; i < N; i++)
        if (get(&y) >= N) {
            int before = get(&y);
            set(&y, get(&x) + get(&y));
            assert(get(&y) == before + get(&x));
            return 0;
        }
    return 0;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, 0, counter, 0);
    pthread_create(&two, 0, waiter, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
