// sley: reach=true race=true deadlock=true memory=false overflow=true
// The plug-in is unloaded between the check of its pointer and the use.
// why: `plugin` is NULL when handle reads it in step \d+, though it was not in step \d+: unload writes NULL to it
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct plugin {
    atomic_int calls;
};

static struct plugin echo;
static _Atomic(struct plugin *) plugin = &echo;

static void *handle(void *unused)
{
    if (atomic_load(&plugin) != NULL)  // decisive
        atomic_fetch_add(&atomic_load(&plugin)->calls, 1);  // decisive
    return NULL;
}

static void *unload(void *unused)
{
    atomic_store(&plugin, NULL);  // decisive
    return NULL;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, handle, NULL);
    pthread_create(&two, NULL, unload, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
