/* A hash map with a lock for each bucket: three threads put and look up, main removes. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#define BUCKETS 2

struct entry {
    int key, value;
    struct entry *next;
};

struct bucket {
    pthread_mutex_t lock;
    struct entry *first;
};

static struct bucket buckets[BUCKETS];

static struct bucket *bucket_of(int key) {
    return &buckets[key % BUCKETS];
}

static void put(int key, int value) {
    struct bucket *bucket = bucket_of(key);
    struct entry *entry = malloc(sizeof *entry);
    if (!entry)
        abort();
    entry->key = key;
    entry->value = value;
    pthread_mutex_lock(&bucket->lock);
    entry->next = bucket->first;
    bucket->first = entry;
    pthread_mutex_unlock(&bucket->lock);
}

static int get(int key) {
    struct bucket *bucket = bucket_of(key);
    int value = -1;
    pthread_mutex_lock(&bucket->lock);
    for (struct entry *entry = bucket->first; entry; entry = entry->next)
        if (entry->key == key)
            value = entry->value;
    pthread_mutex_unlock(&bucket->lock);
    return value;
}

static void remove_key(int key) {
    struct bucket *bucket = bucket_of(key);
    pthread_mutex_lock(&bucket->lock);
    struct entry **link = &bucket->first;
    while (*link) {
        struct entry *entry = *link;
        if (entry->key == key) {
            *link = entry->next;
            free(entry);
        } else {
            link = &entry->next;
        }
    }
    pthread_mutex_unlock(&bucket->lock);
}

static void *work(void *argument) {
    int key = *(int *)argument;
    put(key, 10 * key);
    assert(get(key) == 10 * key);
    return NULL;
}

int main(void) {
    int keys[3] = {1, 2, 3};
    pthread_t threads[3];
    for (int i = 0; i < BUCKETS; i++)
        pthread_mutex_init(&buckets[i].lock, NULL);
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, work, &keys[i]);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < 3; i++)
        remove_key(keys[i]);
    for (int i = 0; i < BUCKETS; i++) {
        assert(buckets[i].first == NULL);
        pthread_mutex_destroy(&buckets[i].lock);
    }
    return 0;
}
