// sley: reach=true race=true deadlock=true memory=true overflow=true
// Who takes the last reference away frees the object.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct object {
    atomic_int references;
    int data[2];
};

static void release(struct object *object)
{
    if (atomic_fetch_sub(&object->references, 1) == 1)
        free(object);
}

void *worker(void *object)
{
    ((struct object *)object)->data[1] = 1;
    release(object);
    return 0;
}

int main(void)
{
    pthread_t thread;
    struct object *object = malloc(sizeof(struct object));
    object->references = 2;
    pthread_create(&thread, 0, worker, object);
    object->data[0] = 1;
    release(object);
    pthread_join(thread, 0);
    return 0;
}
