// sley: reach=true race=false deadlock=true memory=true overflow=true
// Double-checked locking: the first check of the pointer is outside of the mutex and relaxed.
// why: the load is relaxed: only acquire would order them
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct settings {
    int port;
};

static _Atomic(struct settings *) instance;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct settings *get_settings(void)
{
    struct settings *found = atomic_load_explicit(&instance, memory_order_relaxed);  // decisive
    if (found)
        return found;
    pthread_mutex_lock(&lock);
    found = atomic_load_explicit(&instance, memory_order_relaxed);
    if (!found) {
        found = malloc(sizeof *found);
        if (!found)
            abort();
        found->port = 80;  // decisive
        atomic_store_explicit(&instance, found, memory_order_release);  // decisive
    }
    pthread_mutex_unlock(&lock);
    return found;
}

static void *server(void *unused)
{
    return (void *)(long)get_settings()->port;  // decisive
}

int main(void)
{
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, server, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    free(instance);
    return 0;
}
