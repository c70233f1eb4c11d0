// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=true
// A destructor that sets its value again is run again, but only PTHREAD_DESTRUCTOR_ITERATIONS times.
#include <assert.h>
#include <pthread.h>

pthread_key_t key;
int runs;

void again(void *value)
{
    runs++;
    pthread_setspecific(key, value);
}

void *worker(void *unused)
{
    pthread_setspecific(key, &runs);
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_key_create(&key, again);
    pthread_create(&thread, 0, worker, 0);
    pthread_join(thread, 0);
    assert(runs == 4);
    return 0;
}
