// sley: reach=true race=false deadlock=true memory=true overflow=true args="--data-model ILP32"
// A 64-bit scalar is one access on ILP32 too: the race is there, a torn value is not.
#include <assert.h>
#include <pthread.h>

unsigned long long wide;

void *writer(void *unused)
{
    wide = 0xffffffffffffffffULL;
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, writer, 0);
    unsigned long long seen = wide;
    assert(seen == 0 || seen == 0xffffffffffffffffULL);
    pthread_join(thread, 0);
    return 0;
}
