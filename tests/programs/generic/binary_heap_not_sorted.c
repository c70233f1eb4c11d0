// sley: reach=false race=true deadlock=true memory=true overflow=true
// A binary heap of elements of any size does not move the last element down where it has one child only.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct heap {
    pthread_mutex_t lock;
    char *elements;
    size_t size, count;
    int (*compare)(const void *one, const void *other);
};

static void *at(struct heap *heap, size_t i)
{
    return heap->elements + i * heap->size;
}

static void swap(void *one, void *other, size_t size)
{
    char buffer[64];
    memcpy(buffer, one, size);
    memcpy(one, other, size);
    memcpy(other, buffer, size);
}

static void heap_push(struct heap *heap, const void *element)
{
    pthread_mutex_lock(&heap->lock);
    size_t i = heap->count++;
    memcpy(at(heap, i), element, heap->size);
    for (; i > 0 && heap->compare(at(heap, i), at(heap, (i - 1) / 2)) < 0; i = (i - 1) / 2)
        swap(at(heap, i), at(heap, (i - 1) / 2), heap->size);
    pthread_mutex_unlock(&heap->lock);
}

static void heap_pop(struct heap *heap, void *element)
{
    pthread_mutex_lock(&heap->lock);
    memcpy(element, at(heap, 0), heap->size);
    heap->count--;
    memmove(at(heap, 0), at(heap, heap->count), heap->size);
    for (size_t i = 0;;) {
        size_t least = i, left = 2 * i + 1, right = 2 * i + 2;
        if (right < heap->count && heap->compare(at(heap, left), at(heap, least)) < 0)
            least = left;
        if (right < heap->count && heap->compare(at(heap, right), at(heap, least)) < 0)
            least = right;
        if (least == i)
            break;
        swap(at(heap, i), at(heap, least), heap->size);
        i = least;
    }
    pthread_mutex_unlock(&heap->lock);
}

struct event {
    int time;
    const char *name;
};

static int by_time(const void *one, const void *other)
{
    int left = ((const struct event *)one)->time, right = ((const struct event *)other)->time;
    return (left > right) - (left < right);
}

static struct heap events = {PTHREAD_MUTEX_INITIALIZER, NULL, sizeof(struct event), 0, by_time};

static void *schedule(void *argument)
{
    struct event event = {7, "late"};
    if (argument) {
        event.time = 3;
        event.name = "early";
    }
    heap_push(&events, &event);
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    struct event event = {5, "middle"};
    events.elements = malloc(3 * sizeof(struct event));
    heap_push(&events, &event);
    pthread_create(&threads[0], NULL, schedule, NULL);
    pthread_create(&threads[1], NULL, schedule, &event);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    heap_pop(&events, &event);
    assert(event.time == 3 && event.name[0] == 'e');
    heap_pop(&events, &event);
    assert(event.time == 5 && event.name[0] == 'm');
    heap_pop(&events, &event);
    assert(event.time == 7 && event.name[0] == 'l');
    free(events.elements);
    return 0;
}
