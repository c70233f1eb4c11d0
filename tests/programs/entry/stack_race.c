// sley: reach=true race=false deadlock=true memory=true overflow=true misuse=true args="--entry push,pop"
// A library without main: two callers share one stack, and only `pop` holds its lock.

#include <pthread.h>
#include <stdbool.h>

struct stack {
    pthread_mutex_t lock;
    int items[2];
    int count;
};

void push(struct stack *s, int value) {
    if (s->count < 2)
        s->items[s->count++] = value;
}

bool pop(struct stack *s, int *out) {
    pthread_mutex_lock(&s->lock);
    bool found = s->count > 0;
    if (found)
        *out = s->items[--s->count];
    pthread_mutex_unlock(&s->lock);
    return found;
}
