// sley: reach=true race=false deadlock=true memory=true overflow=true
// Neighbouring bit-fields are one memory location: writing both at once is a race.
#include <pthread.h>

struct {
    unsigned left : 4;
    unsigned right : 4;
} flags;

void *worker(void *unused)
{
    flags.left = 1;
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    flags.right = 2;
    pthread_join(thread, 0);
    return 0;
}
