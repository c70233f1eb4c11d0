// sley: reach=true race=false deadlock=true memory=true overflow=true
// `strerror` may reuse the text that it returns (C11 7.24.6.2p3).
#include <pthread.h>
#include <string.h>

static void *thread(void *unused)
{
    return strerror(1) ? unused : 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, thread, 0);
    strerror(2);
    pthread_join(t, 0);
    return 0;
}
