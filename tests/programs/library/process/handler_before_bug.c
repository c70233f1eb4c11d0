// sley: reach=false race=false
// What happens if no signal comes, happens; what handlers do is not modelled.
#include <assert.h>
#include <pthread.h>
#include <signal.h>

int count;

static void handler(int number)
{
}

static void *worker(void *unused)
{
    count++;
    return 0;
}

int main(void)
{
    pthread_t thread;
    signal(SIGINT, handler);
    pthread_create(&thread, 0, worker, 0);
    count++;
    pthread_join(thread, 0);
    assert(count != 2);
    return 0;
}
