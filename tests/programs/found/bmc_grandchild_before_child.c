// sley: reach=false race=true deadlock=true memory=true overflow=true
// The first child's own child may be created, and run, before the second child is created.
#include <assert.h>
#include <pthread.h>

_Atomic int is_late;

void *grandchild(void *unused)
{
    is_late = 1;
    return 0;
}

void *first(void *unused)
{
    pthread_t thread;
    pthread_create(&thread, 0, grandchild, 0);
    pthread_join(thread, 0);
    return 0;
}

void *second(void *unused)
{
    assert(!is_late);
    return 0;
}

int main(void)
{
    pthread_t one, other;
    pthread_create(&one, 0, first, 0);
    pthread_create(&other, 0, second, 0);
    pthread_join(one, 0);
    pthread_join(other, 0);
    return 0;
}
