// sley: reach=true race=false deadlock=true memory=true overflow=true
// The arguments of the program are handed to a thread, compared and counted, but never looked at.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static char **arguments;
static int shared;

static void *worker(void *given)
{
    char **seen = given;
    assert(seen == arguments);
    shared++;
    return NULL;
}

static int count(int given, char **strings)
{
    return strings == NULL ? 0 : given;
}

int main(int argc, char **argv)
{
    pthread_t thread;
    arguments = argv;
    assert(argc >= 0);
    assert(count(argc, argv) == argc);
    pthread_create(&thread, NULL, worker, argv);
    shared++;
    pthread_join(thread, NULL);
    return 0;
}
