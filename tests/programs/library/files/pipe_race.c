// sley: reach=true race=false deadlock=true memory=true overflow=true
// What is read from a pipe goes where another thread looks at the same time.
#include <pthread.h>
#include <unistd.h>

static int ends[2];
static char got;

static void *looker(void *unused)
{
    return got ? &got : 0;
}

int main(void)
{
    pthread_t thread;
    if (pipe(ends) != 0)
        return 1;
    pthread_create(&thread, 0, looker, 0);
    if (write(ends[1], "a", 1) == 1)
        read(ends[0], &got, 1);
    pthread_join(thread, 0);
    return 0;
}
