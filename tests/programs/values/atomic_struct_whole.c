// sley: reach=true race=true deadlock=true memory=true overflow=true
// An atomic struct is read and written as a whole: nobody sees half of it.
#include <assert.h>
#include <pthread.h>

struct point {
    int x, y;
};

static _Atomic struct point shared;

static void *mover(void *none)
{
    struct point there = {3, 3};
    shared = there;
    shared = (struct point){4, 4};
    return none;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, mover, 0);
    struct point seen = shared, again;
    again = shared;
    assert(seen.x == seen.y && again.x == again.y && again.x >= seen.x);
    pthread_join(thread, 0);
    seen = shared;
    assert(seen.x == 4);
    return 0;
}
