// sley: reach=true race=true deadlock=true memory=true overflow=true
// A hash table with keys and values of any size, which are moved as the table grows, finds every pointer again.
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct table {
    pthread_mutex_t lock;
    size_t key_size, value_size, room, count;
    bool *is_used;
    char *keys, *values;
    size_t (*hash)(const void *key);
    bool (*is_same)(const void *one, const void *other);
};

static void make_room(struct table *t, size_t room)
{
    t->room = room;
    t->count = 0;
    t->is_used = calloc(room, sizeof *t->is_used);
    t->keys = malloc(room * t->key_size);
    t->values = malloc(room * t->value_size);
}

static size_t place_of(struct table *t, const void *key)
{
    size_t at = t->hash(key) % t->room;
    while (t->is_used[at] && !t->is_same(t->keys + at * t->key_size, key))
        at = (at + 1) % t->room;
    return at;
}

static void set(struct table *t, const void *key, const void *value)
{
    size_t at = place_of(t, key);
    if (!t->is_used[at]) {
        t->is_used[at] = true;
        t->count++;
        memcpy(t->keys + at * t->key_size, key, t->key_size);
    }
    memcpy(t->values + at * t->value_size, value, t->value_size);
}

static void grow(struct table *t)
{
    size_t room = t->room;
    bool *is_used = t->is_used;
    char *keys = t->keys, *values = t->values;
    make_room(t, 2 * room);
    for (size_t i = 0; i < room; i++)
        if (is_used[i])
            set(t, keys + i * t->key_size, values + i * t->value_size);
    free(is_used);
    free(keys);
    free(values);
}

static void put(struct table *t, const void *key, const void *value)
{
    pthread_mutex_lock(&t->lock);
    if (2 * (t->count + 1) > t->room)
        grow(t);
    set(t, key, value);
    pthread_mutex_unlock(&t->lock);
}

static bool get(struct table *t, const void *key, void *value)
{
    pthread_mutex_lock(&t->lock);
    size_t at = place_of(t, key);
    bool is_found = t->is_used[at];
    if (is_found)
        memcpy(value, t->values + at * t->value_size, t->value_size);
    pthread_mutex_unlock(&t->lock);
    return is_found;
}

static size_t hash_int(const void *key) { return (size_t)*(const int *)key * 7; }
static bool same_int(const void *one, const void *other) { return *(const int *)one == *(const int *)other; }

static struct table names = {
    .lock = PTHREAD_MUTEX_INITIALIZER,
    .key_size = sizeof(int),
    .value_size = sizeof(const char *),
    .hash = hash_int,
    .is_same = same_int,
};

static void *writer(void *argument)
{
    int key = *(int *)argument;
    const char *name = key == 1 ? "one" : "five";
    put(&names, &key, &name);
    return NULL;
}

int main(void)
{
    int keys[2] = {1, 5};
    pthread_t threads[2];
    const char *name = NULL;
    make_room(&names, 2);
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, writer, &keys[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    bool is_found = get(&names, &keys[1], &name);
    assert(is_found && name[0] == 'f');
    is_found = get(&names, &keys[0], &name);
    assert(is_found && name[0] == 'o');
    free(names.is_used);
    free(names.keys);
    free(names.values);
    return 0;
}
