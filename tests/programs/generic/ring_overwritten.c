// sley: reach=false race=true deadlock=true memory=true overflow=true
// A ring of elements of any size does not wait while it is full: a record is written over another.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct ring {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    char *slots;
    size_t size, room, first, count;
};

struct record {
    short kind;
    int *value;
    char last;
};

static struct ring *ring_new(size_t size, size_t room)
{
    struct ring *ring = malloc(sizeof *ring);
    pthread_mutex_init(&ring->lock, NULL);
    pthread_cond_init(&ring->changed, NULL);
    ring->slots = malloc(size * room);
    ring->size = size;
    ring->room = room;
    ring->first = ring->count = 0;
    return ring;
}

static void ring_put(struct ring *ring, const void *element)
{
    pthread_mutex_lock(&ring->lock);
    memcpy(ring->slots + (ring->first + ring->count) % ring->room * ring->size, element, ring->size);
    ring->count++;
    pthread_cond_signal(&ring->changed);
    pthread_mutex_unlock(&ring->lock);
}

static void ring_take(struct ring *ring, void *element)
{
    pthread_mutex_lock(&ring->lock);
    while (ring->count == 0)
        pthread_cond_wait(&ring->changed, &ring->lock);
    memcpy(element, ring->slots + ring->first * ring->size, ring->size);
    ring->first = (ring->first + 1) % ring->room;
    ring->count--;
    pthread_cond_signal(&ring->changed);
    pthread_mutex_unlock(&ring->lock);
}

static void *producer(void *argument)
{
    struct ring *ring = argument;
    for (int i = 0; i < 3; i++) {
        struct record record;
        record.kind = (short)i;
        record.value = malloc(sizeof(int));
        *record.value = 10 * i;
        record.last = i == 2;
        ring_put(ring, &record);
    }
    return NULL;
}

int main(void)
{
    struct ring *ring = ring_new(sizeof(struct record), 2);
    struct record record;
    pthread_t thread;
    int seen = 0;
    pthread_create(&thread, NULL, producer, ring);
    do {
        ring_take(ring, &record);
        assert(record.kind == seen && *record.value == 10 * seen);
        free(record.value);
        seen++;
    } while (!record.last);
    assert(seen == 3);
    pthread_join(thread, NULL);
    free(ring->slots);
    free(ring);
    return 0;
}
