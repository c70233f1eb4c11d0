// sley: reach=true race=true deadlock=true memory=true overflow=true
// Double-checked locking with an atomic flag: initialised once, and race-free.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
_Atomic int is_ready;
int value;

void *user(void *unused)
{
    if (!is_ready) {
        pthread_mutex_lock(&lock);
        if (!is_ready) {
            value += 42;
            is_ready = 1;
        }
        pthread_mutex_unlock(&lock);
    }
    assert(value == 42);
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, user, 0);
    pthread_create(&b, 0, user, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
