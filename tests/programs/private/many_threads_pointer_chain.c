// sley: reach=true race=true deadlock=true memory=true overflow=true
// Any number of threads, each with a local that holds the address of another.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int shared;

struct request {
    int *result;
    int addend;
};

static void serve(struct request *request)
{
    pthread_mutex_lock(&mutex);
    shared = shared ^ request->addend;
    *request->result = shared;
    pthread_mutex_unlock(&mutex);
}

static void *worker(void *unused)
{
    int result;
    struct request request = {&result, 2};
    serve(&request);
    assert(result == 0 || result == 2);
    return 0;
}

int main(void)
{
    pthread_t thread;
    while (1)
        pthread_create(&thread, 0, worker, 0);
}
