// sley: reach=true race=false deadlock=true memory=false overflow=true
// The reference is taken away in one step and tested in another: both threads may free, or one looks too late.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct object {
    atomic_int references;
};

static void release(struct object *object)
{
    object->references--;
    if (object->references == 0)
        free(object);
}

void *worker(void *object)
{
    release(object);
    return 0;
}

int main(void)
{
    pthread_t thread;
    struct object *object = malloc(sizeof(struct object));
    object->references = 2;
    pthread_create(&thread, 0, worker, object);
    release(object);
    pthread_join(thread, 0);
    return 0;
}
