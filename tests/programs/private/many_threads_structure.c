// sley: reach=true race=true deadlock=true memory=true overflow=true
// Any number of threads, each with a structure of its own that functions fill and read.
#include <assert.h>
#include <pthread.h>

struct ticket {
    int low, high;
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int from = 1, to = 1;

static void draw(struct ticket *ticket)
{
    pthread_mutex_lock(&mutex);
    ticket->low = from;
    ticket->high = to;
    pthread_mutex_unlock(&mutex);
}

static int is_fair(const struct ticket *ticket)
{
    return ticket->low == ticket->high;
}

static void *worker(void *unused)
{
    struct ticket mine;
    draw(&mine);
    assert(is_fair(&mine));
    pthread_mutex_lock(&mutex);
    from = 1 - mine.low;
    to = 1 - mine.high;
    pthread_mutex_unlock(&mutex);
    return 0;
}

int main(void)
{
    pthread_t thread;
    while (1)
        pthread_create(&thread, 0, worker, 0);
}
