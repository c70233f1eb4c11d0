// sley: reach=true race=true deadlock=true memory=true overflow=true
// Struct copies under a mutex are never seen half done.
#include <assert.h>
#include <pthread.h>

struct pair {
    int left, right;
};

struct shared {
    pthread_mutex_t lock;
    struct pair pair;
};

struct shared shared = {PTHREAD_MUTEX_INITIALIZER, {0, 0}};

void *writer(void *unused)
{
    struct pair new = {1, 1};
    pthread_mutex_lock(&shared.lock);
    shared.pair = new;
    pthread_mutex_unlock(&shared.lock);
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, writer, 0);
    pthread_mutex_lock(&shared.lock);
    struct pair copy = shared.pair;
    pthread_mutex_unlock(&shared.lock);
    assert(copy.left == copy.right);
    pthread_join(thread, 0);
    return 0;
}
