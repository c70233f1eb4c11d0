// sley: reach=true race=true deadlock=true memory=false overflow=true
// A sorted array of elements of any size makes room with `memcpy` between places that overlap.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct sorted {
    pthread_mutex_t lock;
    void *base;
    size_t size, count;
    int (*compare)(const void *one, const void *other);
};

static void insert(struct sorted *array, const void *element)
{
    pthread_mutex_lock(&array->lock);
    size_t at = 0;
    while (at < array->count && array->compare((char *)array->base + at * array->size, element) < 0)
        at++;
    char *place = (char *)array->base + at * array->size;
    memcpy(place + array->size, place, (array->count - at) * array->size);
    memcpy(place, element, array->size);
    array->count++;
    pthread_mutex_unlock(&array->lock);
}

struct person {
    int age;
};

static int by_age(const void *one, const void *other)
{
    const struct person *left = *(struct person *const *)one, *right = *(struct person *const *)other;
    return left->age - right->age;
}

static struct person *room[3];
static struct sorted people = {PTHREAD_MUTEX_INITIALIZER, room, sizeof room[0], 0, by_age};

static void *add(void *argument)
{
    insert(&people, &argument);
    return NULL;
}

int main(void)
{
    struct person young = {9}, grown = {30}, old = {80};
    struct person *person = &grown;
    pthread_t threads[2];
    insert(&people, &person);
    pthread_create(&threads[0], NULL, add, &old);
    pthread_create(&threads[1], NULL, add, &young);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    assert(room[0] == &young && room[1] == &grown && room[2] == &old);
    struct person key = {80}, *wanted = &key;
    struct person **found = bsearch(&wanted, people.base, people.count, people.size, people.compare);
    assert(found && *found == &old);
    return 0;
}
