// sley: reach=true race=false deadlock=true memory=true overflow=true
// A copy by `memcpy` races, but moves every scalar in one piece.
#include <assert.h>
#include <pthread.h>
#include <string.h>

unsigned shared;

void *writer(void *unused)
{
    unsigned value = 0xffffffffu;
    memcpy(&shared, &value, sizeof shared);
    return 0;
}

int main(void)
{
    pthread_t thread;
    unsigned seen;
    pthread_create(&thread, 0, writer, 0);
    memcpy(&seen, &shared, sizeof seen);
    assert(seen == 0 || seen == 0xffffffffu);
    pthread_join(thread, 0);
    return 0;
}
