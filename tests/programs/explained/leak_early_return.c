// sley: reach=true race=true deadlock=true memory=false overflow=true
// A worker that finds the queue full returns without freeing what it made.
// why: allocated by submit #\d in step \d+ \(line 19\).* out of scope
#include <pthread.h>
#include <stdlib.h>

struct task {
    int id;
};

static struct task *queue[1];
static int count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *submit(void *id)
{
    struct task *task;
    int is_full;
    task = malloc(sizeof *task);  // decisive
    if (!task)
        return NULL;
    task->id = (int)(long)id;
    pthread_mutex_lock(&lock);
    is_full = count == 1;
    if (!is_full)
        queue[count++] = task;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    for (long i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, submit, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < count; i++)
        free(queue[i]);
    return 0;
}
