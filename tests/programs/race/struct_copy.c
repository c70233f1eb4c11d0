// sley: reach=false race=false deadlock=true memory=true overflow=true
// A struct is copied one scalar at a time: the copy can be half old and half new.
#include <assert.h>
#include <pthread.h>

struct pair {
    int left, right;
};

struct pair shared;

void *writer(void *unused)
{
    struct pair new = {1, 1};
    shared = new;
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, writer, 0);
    struct pair copy = shared;
    assert(copy.left == copy.right);
    pthread_join(thread, 0);
    return 0;
}
