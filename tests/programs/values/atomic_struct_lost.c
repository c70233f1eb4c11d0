// sley: reach=false race=true deadlock=true memory=true overflow=true
// Each access to the atomic struct is whole, but reading and writing it are two accesses.
#include <assert.h>
#include <pthread.h>

struct pair {
    int a, b;
};

static _Atomic struct pair pair;

static void *add(void *none)
{
    struct pair mine = pair;
    mine.a++;
    mine.b++;
    pair = mine;
    return none;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, add, 0);
    add(0);
    pthread_join(thread, 0);
    struct pair end = pair;
    assert(end.a == end.b);
    assert(end.a == 2);
    return 0;
}
