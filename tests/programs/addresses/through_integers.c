// sley: reach=true race=true deadlock=true memory=true overflow=true
// A pointer that travels as an integer, moved by a few bytes and back, is the same pointer.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

struct box { int first; int second; };

struct box box = {3, 4};
uintptr_t hidden;

void *reader(void *argument)
{
    intptr_t moved = (intptr_t)argument;
    struct box *p = (struct box *)(moved - (intptr_t)sizeof(int));
    assert(p->first == 3 && *(int *)moved == 4);
    assert((uintptr_t)p == hidden);
    return (void *)(uintptr_t)p->second;
}

int main(void)
{
    pthread_t thread;
    void *result;
    hidden = (uintptr_t)&box;
    pthread_create(&thread, 0, reader, (void *)(hidden + sizeof(int)));
    pthread_join(thread, &result);
    assert((uintptr_t)result == 4);
    return 0;
}
