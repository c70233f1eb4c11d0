// sley: reach=true race=false deadlock=true memory=true overflow=true misuse=true
// To print a string is to read it.
#include <pthread.h>
#include <stdio.h>

char text[4] = "one";

void *worker(void *unused)
{
    text[0] = 'O';
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    printf("%d: %s\n", 1, text);
    pthread_join(thread, 0);
    return 0;
}
