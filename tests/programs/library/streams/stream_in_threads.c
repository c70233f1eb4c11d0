// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=true
// Several threads may write to one stream, which locks itself (C11 7.21.2p8); it is closed when they are done.
#include <pthread.h>
#include <stdio.h>

static FILE *log_file;

static void *worker(void *name)
{
    fprintf(log_file, "%s\n", (const char *)name);
    return 0;
}

int main(void)
{
    log_file = fopen("log", "w");
    if (!log_file)
        return 1;
    pthread_t thread;
    pthread_create(&thread, 0, worker, "one");
    worker("two");
    pthread_join(thread, 0);
    fclose(log_file);
    return 0;
}
