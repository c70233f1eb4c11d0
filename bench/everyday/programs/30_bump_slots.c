// sley: reach=true race=true deadlock=true memory=true overflow=true
// Two threads take slots of an array with an atomic pointer, each a slot of its own.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct slot {
    int owner;
};

static struct slot slots[4];
static struct slot *_Atomic next = slots;

static void *taker(void *arg)
{
    int me = *(int *)arg;
    struct slot *a = next++;
    struct slot *b = next++;
    a->owner = me;
    b->owner = me;
    assert(a != b);
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    int names[2] = {1, 2};
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, taker, &names[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    int sum = 0;
    for (int i = 0; i < 4; i++)
        sum += slots[i].owner;
    assert(sum == 6);
    assert(next == slots + 4);
    return 0;
}
