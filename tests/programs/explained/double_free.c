// sley: reach=true race=true deadlock=true memory=false overflow=true
// The worker frees the payload of a job that it gives up, and the clean-up frees it again.
// why: already freed: worker frees it in step \d+
#include <pthread.h>
#include <stdlib.h>

struct job {
    char *payload;
    int is_done;
};

static struct job jobs[2];

static void *worker(void *unused)
{
    for (int i = 0; i < 2; i++) {
        if (jobs[i].payload[0] == 'x')
            free(jobs[i].payload);  // decisive
        jobs[i].is_done = 1;
    }
    return NULL;
}

int main(void)
{
    pthread_t thread;
    for (int i = 0; i < 2; i++) {
        jobs[i].payload = malloc(8);  // decisive
        if (!jobs[i].payload)
            abort();
        jobs[i].payload[0] = i == 0 ? 'a' : 'x';
    }
    pthread_create(&thread, NULL, worker, NULL);
    pthread_join(thread, NULL);
    for (int i = 0; i < 2; i++)
        free(jobs[i].payload);  // decisive
    return 0;
}
