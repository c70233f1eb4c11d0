// sley: reach=true race=false deadlock=true memory=true overflow=true misuse=true
// A format is read while another thread writes it.
#include <pthread.h>
#include <stdio.h>

static char format[8] = "%d";

static void *worker(void *unused)
{
    format[2] = '\n';
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    fprintf(stderr, format, 3);
    pthread_join(thread, 0);
    return 0;
}
