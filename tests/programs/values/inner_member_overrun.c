// sley: reach=true race=true deadlock=true memory=false overflow=true
// One write too many lands in the next member of the struct.
#include <pthread.h>

struct ring {
    int slots[4];
    int next;
};

static struct ring ring;

static void *fill(void *none)
{
    struct ring *into = &ring;
    for (int i = 0; i <= 4; i++)
        into->slots[i] = i;
    return none;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, fill, 0);
    pthread_join(thread, 0);
    return 0;
}
