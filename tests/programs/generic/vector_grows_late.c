// sley: reach=true race=true deadlock=true memory=false overflow=true
// A vector of elements of any size grows too late: an element is written behind its end.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct vector {
    pthread_mutex_t lock;
    void *data;
    size_t size, count, room;
};

static void vector_init(struct vector *v, size_t size)
{
    pthread_mutex_init(&v->lock, NULL);
    v->data = malloc(size);
    v->size = size;
    v->count = 0;
    v->room = 1;
}

static void vector_append(struct vector *v, const void *element)
{
    pthread_mutex_lock(&v->lock);
    if (v->count > v->room) {
        v->room = 2 * v->room;
        v->data = realloc(v->data, v->room * v->size);
    }
    memcpy((char *)v->data + v->count * v->size, element, v->size);
    v->count++;
    pthread_mutex_unlock(&v->lock);
}

static void vector_get(struct vector *v, size_t at, void *element)
{
    pthread_mutex_lock(&v->lock);
    assert(at < v->count);
    memcpy(element, (char *)v->data + at * v->size, v->size);
    pthread_mutex_unlock(&v->lock);
}

static struct vector all;
static int numbers[2];

static void *worker(void *argument)
{
    int *number = argument;
    *number = 1;
    vector_append(&all, &number);
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    int *third = malloc(sizeof *third), sum = 0;
    *third = 5;
    vector_init(&all, sizeof(int *));
    vector_append(&all, &third);
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, worker, &numbers[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    for (size_t i = 0; i < 3; i++) {
        int *number;
        vector_get(&all, i, &number);
        sum += *number;
    }
    assert(sum == 7);
    vector_get(&all, 0, &third);
    free(third);
    free(all.data);
    return 0;
}
