// sley: reach=true race=true deadlock=true memory=false overflow=true
// A thread gets the address of a local variable of a function that returns at once.
// why: `options`, a local variable of start_logger
#include <pthread.h>

struct options {
    int level;
};

static int level;
static pthread_t thread;

static void *logger(void *argument)
{
    struct options *options = argument;
    level = options->level;  // decisive
    return NULL;
}

static void start_logger(int wanted)
{
    struct options options = {wanted};
    pthread_create(&thread, NULL, logger, &options);
}  // decisive

int main(void)
{
    start_logger(3);
    pthread_join(thread, NULL);
    return level != 3;
}
