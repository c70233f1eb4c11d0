// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=true
// The usual size of a stack is the same always, and not below the least one.
#include <assert.h>
#include <pthread.h>

int main(void)
{
    pthread_attr_t one, other;
    size_t first, second;
    pthread_attr_init(&one);
    pthread_attr_init(&other);
    pthread_attr_getstacksize(&one, &first);
    pthread_attr_getstacksize(&other, &second);
    assert(first == second && first >= PTHREAD_STACK_MIN);
    if (pthread_attr_setstacksize(&one, 65536) == 0)
        pthread_attr_getstacksize(&one, &first);
    assert(first == 65536);
    pthread_attr_destroy(&one);
    pthread_attr_destroy(&other);
    return 0;
}
