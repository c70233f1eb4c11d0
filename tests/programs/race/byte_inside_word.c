// sley: reach=true race=false deadlock=true memory=true overflow=true
// One thread writes a word, the other a byte inside it: the accesses overlap.
#include <pthread.h>

unsigned word;

void *worker(void *unused)
{
    word = 0;
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    ((unsigned char *)&word)[2] = 7;
    pthread_join(thread, 0);
    return 0;
}
