// sley: reach=true race=false deadlock=true memory=true overflow=true
// Two bit-fields in one memory location are one variable for the rules of races.
#include <pthread.h>

struct {
    unsigned left : 4;
    unsigned right : 4;
} pair;

static void *set_left(void *unused)
{
    pair.left = 1;
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, set_left, 0);
    pair.right = 2;
    pthread_join(thread, 0);
    return 0;
}
