// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=true
// A destructor gets the value of a thread that returns or exits, but no null; main's value is left alone.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

pthread_key_t key;
_Atomic int destroyed;

void destroy(void *block)
{
    assert(pthread_getspecific(key) == 0);
    destroyed += *(int *)block;
    free(block);
}

void *returns(void *unused)
{
    int *block = malloc(sizeof *block);
    *block = 1;
    pthread_setspecific(key, block);
    return 0;
}

void *exits(void *unused)
{
    returns(0);
    *(int *)pthread_getspecific(key) = 2;
    pthread_exit(0);
}

void *has_none(void *unused)
{
    return 0;
}

int main(void)
{
    pthread_t one, two, three;
    pthread_key_create(&key, destroy);
    pthread_setspecific(key, &destroyed);
    pthread_create(&one, 0, returns, 0);
    pthread_create(&two, 0, exits, 0);
    pthread_create(&three, 0, has_none, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    pthread_join(three, 0);
    assert(destroyed == 3);
    return 0;
}
