// sley: reach=true race=false deadlock=true memory=true overflow=true
// One thread sets a variable while another asks for one (POSIX XSH 2.9.1).
#include <pthread.h>
#include <stdlib.h>

static void *setter(void *unused)
{
    setenv("A", "1", 1);
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, setter, 0);
    char *home = getenv("HOME");
    pthread_join(thread, 0);
    return home == 0;
}
