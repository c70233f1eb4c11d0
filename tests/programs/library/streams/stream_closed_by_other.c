// sley: reach=true deadlock=true memory=false overflow=true misuse=true
// A stream is closed while another thread may still write to it.
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
    fclose(log_file);
    pthread_join(thread, 0);
    return 0;
}
