// sley: reach=true race=true deadlock=true memory=true overflow=true
// One thread sends numbers to another one through a pipe.
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static int ends[2];
static int prepared;

static void *sender(void *unused)
{
    prepared = 7;
    if (write(ends[1], "ab", 2) != 2)
        _exit(1);
    return 0;
}

int main(void)
{
    pthread_t thread;
    char got;
    if (pipe(ends) != 0)
        return 1;
    pthread_create(&thread, 0, sender, 0);
    if (read(ends[0], &got, 1) != 1)
        return 1;
    assert(got == 'a' && prepared == 7);
    if (read(ends[0], &got, 1) != 1)
        return 1;
    assert(got == 'b');
    pthread_join(thread, 0);
    return 0;
}
