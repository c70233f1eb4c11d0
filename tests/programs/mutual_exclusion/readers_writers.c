// sley: reach=true race=true deadlock=true memory=true overflow=true
// Readers and writers over one atomic word: -1 is a writer inside, n > 0 are n readers.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int room;
int left, right;

void *writer(void *unused)
{
    int nobody = 0;
    while (!atomic_compare_exchange_strong(&room, &nobody, -1))
        nobody = 0;
    left = 1;
    right = 1;
    room = 0;
    return 0;
}

void *reader(void *unused)
{
    for (;;) {
        int inside = room;
        if (inside >= 0 && atomic_compare_exchange_strong(&room, &inside, inside + 1))
            break;
    }
    assert(left == right);
    atomic_fetch_sub(&room, 1);
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, writer, 0);
    pthread_create(&b, 0, reader, 0);
    reader(0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
