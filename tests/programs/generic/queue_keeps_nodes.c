// sley: reach=true race=true deadlock=true memory=false overflow=true
// A queue of elements of any size forgets to free the nodes that it copied elements out of.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct node {
    struct node *next;
    char element[];
};

static struct queue {
    pthread_mutex_t lock;
    struct node *first, **end;
    size_t size;
} queue = {PTHREAD_MUTEX_INITIALIZER, NULL, &queue.first, 0};

struct job {
    int (*run)(int);
    int argument;
};

static void enqueue(struct queue *q, const void *element)
{
    struct node *node = malloc(sizeof *node + q->size);
    node->next = NULL;
    memcpy(node->element, element, q->size);
    pthread_mutex_lock(&q->lock);
    *q->end = node;
    q->end = &node->next;
    pthread_mutex_unlock(&q->lock);
}

static int dequeue(struct queue *q, void *element)
{
    pthread_mutex_lock(&q->lock);
    struct node *node = q->first;
    if (node) {
        q->first = node->next;
        if (!q->first)
            q->end = &q->first;
    }
    pthread_mutex_unlock(&q->lock);
    if (!node)
        return 0;
    memcpy(element, node->element, q->size);
    return 1;
}

static int twice(int number) { return 2 * number; }
static int next(int number) { return number + 1; }

static void *worker(void *unused)
{
    struct job job;
    int sum = 0;
    while (dequeue(&queue, &job))
        sum += job.run(job.argument);
    return (void *)(long)sum;
}

int main(void)
{
    struct job jobs[2] = {{twice, 5}, {next, 6}};
    pthread_t threads[2];
    void *results[2];
    queue.size = sizeof(struct job);
    enqueue(&queue, &jobs[0]);
    pthread_create(&threads[0], NULL, worker, NULL);
    pthread_create(&threads[1], NULL, worker, NULL);
    enqueue(&queue, &jobs[1]);
    pthread_join(threads[0], &results[0]);
    pthread_join(threads[1], &results[1]);
    long sum = (long)results[0] + (long)results[1];
    struct job left;
    while (dequeue(&queue, &left))
        sum += left.run(left.argument);
    assert(sum == 17);
    return 0;
}
