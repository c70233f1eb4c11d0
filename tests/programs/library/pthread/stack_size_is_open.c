// sley: reach=false race=true deadlock=true memory=true overflow=true misuse=true
// How large a stack is, if nobody says it, depends on the system.
#include <assert.h>
#include <pthread.h>

int main(void)
{
    pthread_attr_t attributes;
    size_t size;
    pthread_attr_init(&attributes);
    pthread_attr_getstacksize(&attributes, &size);
    assert(size < 4194304);
    return 0;
}
