// sley: reach=false race=true deadlock=true memory=true overflow=true misuse=true
// The destructors of two keys run in any order.
#include <assert.h>
#include <pthread.h>

pthread_key_t first, second;
int latest;

void note_first(void *unused)
{
    latest = 1;
}

void note_second(void *unused)
{
    latest = 2;
}

void *worker(void *unused)
{
    pthread_setspecific(first, &latest);
    pthread_setspecific(second, &latest);
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_key_create(&first, note_first);
    pthread_key_create(&second, note_second);
    pthread_create(&thread, 0, worker, 0);
    pthread_join(thread, 0);
    assert(latest == 2);
    return 0;
}
