// sley: unmodelled=true
// A destructor of thread-specific data runs when a thread of pthread_create ends, which has no model.
#include <assert.h>
#include <pthread.h>

pthread_key_t key;
int value;

void destroy(void *unused)
{
    assert(0);
}

void *worker(void *unused)
{
    pthread_setspecific(key, &value);
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_key_create(&key, destroy);
    pthread_create(&thread, 0, worker, 0);
    pthread_join(thread, 0);
    return 0;
}
