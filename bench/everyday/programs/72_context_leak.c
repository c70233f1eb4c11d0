// sley: reach=true race=true deadlock=true memory=false overflow=true
// A key for thread-specific data has no destructor, and threads leave their contexts behind.
#include <pthread.h>
#include <stdlib.h>

struct context {
    int requests;
};

static pthread_key_t key;

static struct context *context(void)
{
    struct context *c = pthread_getspecific(key);
    if (!c) {
        c = calloc(1, sizeof *c);
        if (!c || pthread_setspecific(key, c) != 0)
            abort();
    }
    return c;
}

static void *serve(void *arg)
{
    (void)arg;
    context()->requests++;
    context()->requests++;
    return NULL;
}

int main(void)
{
    pthread_t thread;
    if (pthread_key_create(&key, NULL) != 0)
        return 1;
    pthread_create(&thread, NULL, serve, NULL);
    pthread_join(thread, NULL);
    return 0;
}
