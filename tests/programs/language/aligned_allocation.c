// sley: reach=true race=true deadlock=true memory=true overflow=true
// Blocks of aligned memory are handed to a thread and freed.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

struct line {
    int value;
    struct line *next;
};

static void *worker(void *given)
{
    struct line *line = given;
    line->next->value = line->value + 1;
    return NULL;
}

int main(void)
{
    pthread_t thread;
    struct line *first = aligned_alloc(64, sizeof(struct line));
    first->next = aligned_alloc(64, 4 * sizeof(struct line));
    assert((uintptr_t)first % 64 == 0);
    first->value = 1;
    pthread_create(&thread, NULL, worker, first);
    pthread_join(thread, NULL);
    assert(first->next->value == 2);
    first->next[3].value = 3;
    free(first->next);
    free(first);
    return 0;
}
