// sley: reach=false race=false deadlock=true memory=true overflow=true
// Double-checked locking that raises the flag before the value is there.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
atomic_bool is_ready;
int value;

void *user(void *unused)
{
    if (!is_ready) {
        pthread_mutex_lock(&lock);
        if (!is_ready) {
            is_ready = 1;
            value = 42;
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
