// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=true args="--entry push,pop --calls 2"
// A library without main: `push` and the static `pop` hold the lock of the stack that callers share; what `pop`
// returns through a pointer goes to each caller's own variable.

#include <pthread.h>
#include <stdbool.h>

struct stack {
    pthread_mutex_t lock;
    int items[2];
    int count;
};

void push(struct stack *s, int value) {
    pthread_mutex_lock(&s->lock);
    if (s->count < 2)
        s->items[s->count++] = value;
    pthread_mutex_unlock(&s->lock);
}

static bool pop(struct stack *s, int *out) {
    pthread_mutex_lock(&s->lock);
    bool found = s->count > 0;
    if (found)
        *out = s->items[--s->count];
    pthread_mutex_unlock(&s->lock);
    return found;
}
