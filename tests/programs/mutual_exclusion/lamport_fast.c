// sley: reach=true race=true deadlock=true memory=true overflow=true
// Lamport's fast mutual exclusion (two threads): without contention it takes seven accesses.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_bool trying[2];
atomic_int door, gate;
int owner;

static void visit(int me)
{
    int name = me + 1;
start:
    trying[me] = 1;
    door = name;
    if (gate != 0) {
        trying[me] = 0;
        while (gate != 0)
            ;
        goto start;
    }
    gate = name;
    if (door != name) {
        trying[me] = 0;
        while (trying[1 - me])
            ;
        if (gate != name) {
            while (gate != 0)
                ;
            goto start;
        }
    }
    owner = name;
    assert(owner == name);
    gate = 0;
    trying[me] = 0;
}

void *first(void *unused)
{
    visit(0);
    return 0;
}

void *second(void *unused)
{
    visit(1);
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
