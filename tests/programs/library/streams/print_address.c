// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=true
// To print an address reads nothing behind it; literals and lengths are no matter.
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
    printf("%p %*d %s %%\n", (void *)text, 5, 1, "literal");
    fprintf(stderr, "%s\n", "literal");
    puts("literal");
    pthread_join(thread, 0);
    return 0;
}
