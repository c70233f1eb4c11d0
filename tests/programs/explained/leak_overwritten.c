// sley: reach=true race=true deadlock=true memory=false overflow=true
// Two threads fill one slot of a cache: the second forgets what the first put there.
// why: allocated by fill #\d in step \d+ \(line 17\)\. fill #\d overwrites the last pointer to it, `slot`
#include <pthread.h>
#include <stdlib.h>

struct entry {
    int key;
    int value;
};

static struct entry *slot;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *fill(void *key)
{
    struct entry *fresh = malloc(sizeof *fresh);  // decisive
    if (!fresh)
        return NULL;
    fresh->key = fresh->value = (int)(long)key;
    pthread_mutex_lock(&lock);
    slot = fresh;  // decisive
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, fill, (void *)1L);
    pthread_create(&two, NULL, fill, (void *)2L);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    free(slot);
    return 0;
}
