// sley: reach=true race=true deadlock=true memory=true overflow=true
// Two holders of a counted object, who take and give back further references as often as they like.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

extern _Bool __VERIFIER_nondet_bool(void);

struct object {
    atomic_int references;
    atomic_int is_alive;
};

struct object *shared;

static void release(struct object *object)
{
    if (atomic_fetch_sub(&object->references, 1) == 1) {
        object->is_alive = 0;
        free(object);
    }
}

static void use(void)
{
    struct object *object = shared;
    while (__VERIFIER_nondet_bool()) {
        atomic_fetch_add(&object->references, 1);
        assert(object->is_alive);
        release(object);
    }
    assert(object->is_alive);
    release(object);
}

void *thread_one(void *unused)
{
    use();
    return 0;
}

void *thread_two(void *unused)
{
    use();
    return 0;
}

int main(void)
{
    pthread_t one, two;
    shared = malloc(sizeof *shared);
    shared->references = 2;
    shared->is_alive = 1;
    pthread_create(&one, 0, thread_one, 0);
    pthread_create(&two, 0, thread_two, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
