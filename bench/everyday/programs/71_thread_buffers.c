// sley: reach=true race=true deadlock=true memory=true overflow=true
// Each thread has a buffer of its own, which a destructor frees.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_key_t key;

static char *buffer(void)
{
    char *mine = pthread_getspecific(key);
    if (mine)
        return mine;
    mine = calloc(16, 1);
    if (mine && pthread_setspecific(key, mine) != 0) {
        free(mine);
        return NULL;
    }
    return mine;
}

static void *work(void *arg)
{
    char *text = buffer();
    if (!text)
        return NULL;
    text[0] = *(const char *)arg;
    assert(buffer() == text);
    assert(buffer()[0] == *(const char *)arg);
    return NULL;
}

int main(void)
{
    pthread_t one, two;
    if (pthread_key_create(&key, free) != 0)
        return 1;
    pthread_create(&one, NULL, work, "a");
    pthread_create(&two, NULL, work, "b");
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    pthread_key_delete(key);
    return 0;
}
