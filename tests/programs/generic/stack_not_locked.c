// sley: reach=false race=false deadlock=true memory=false overflow=true
// A stack of elements of any size whose threads forget the lock: both take one pointer, and none takes the other.
#include <assert.h>
#include <pthread.h>
#include <string.h>

static _Alignas(16) unsigned char room[4 * sizeof(void *)];

static struct stack {
    pthread_mutex_t lock;
    unsigned char *bytes;
    size_t size, used;
} stack = {PTHREAD_MUTEX_INITIALIZER, room, sizeof(void *), 0};

static int push(struct stack *s, const void *element)
{
    int is_pushed = 0;
    pthread_mutex_lock(&s->lock);
    if (s->used + s->size <= sizeof room) {
        memcpy(s->bytes + s->used, element, s->size);
        s->used += s->size;
        is_pushed = 1;
    }
    pthread_mutex_unlock(&s->lock);
    return is_pushed;
}

static int pop(struct stack *s, void *element)
{
    int is_popped = 0;
    if (s->used) {
        s->used -= s->size;
        memcpy(element, s->bytes + s->used, s->size);
        is_popped = 1;
    }
    return is_popped;
}

static void *worker(void *argument)
{
    int *mine = argument;
    *mine += 1;
    int is_pushed = push(&stack, &mine);
    assert(is_pushed);
    if (pop(&stack, &mine))
        *mine += 1;
    return NULL;
}

int main(void)
{
    int one = 0, other = 0;
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, worker, &one);
    pthread_create(&threads[1], NULL, worker, &other);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    assert(one == 2 && other == 2);
    return 0;
}
