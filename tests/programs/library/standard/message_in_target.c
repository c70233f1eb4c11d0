// sley: reach=true race=true deadlock=true memory=true overflow=true
// `strerror_r` writes where each thread wants it.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <string.h>

static void *thread(void *unused)
{
    char text[8];
    int result = strerror_r(1, text, sizeof text);
    assert(result == 0 || result == ERANGE || result == EINVAL);
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, thread, 0);
    thread(0);
    pthread_join(t, 0);
    return 0;
}
