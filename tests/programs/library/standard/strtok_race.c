// sley: reach=true race=false deadlock=true memory=true overflow=true
// Two threads take strings apart with the position that strtok keeps for all of them.
#include <pthread.h>
#include <string.h>

char texts[2][4] = {"a b", "c d"};

void *worker(void *text)
{
    strtok(text, " ");
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, worker, texts[0]);
    worker(texts[1]);
    pthread_join(thread, 0);
    return 0;
}
