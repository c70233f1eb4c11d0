// sley: reach=true race=false deadlock=true memory=true overflow=true misuse=true
// A buffer is written to a file while another thread reads into it.
#include <pthread.h>
#include <unistd.h>

char bytes[2];

void *worker(void *unused)
{
    read(0, bytes, 1);
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    write(1, bytes, 2);
    pthread_join(thread, 0);
    return 0;
}
