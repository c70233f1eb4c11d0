// sley: reach=true race=true deadlock=true memory=true overflow=true
// A text is shared by counting references; the last to let go of it frees it.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct text {
    atomic_int references;
    char first;
};

static void release(struct text *t)
{
    if (atomic_fetch_sub(&t->references, 1) == 1)
        free(t);
}

static void *reader(void *arg)
{
    struct text *t = arg;
    assert(t->first == 'x');
    release(t);
    return NULL;
}

int main(void)
{
    pthread_t one, two;
    struct text *t = malloc(sizeof *t);
    if (!t)
        return 1;
    atomic_init(&t->references, 3);
    t->first = 'x';
    pthread_create(&one, NULL, reader, t);
    pthread_create(&two, NULL, reader, t);
    release(t);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
