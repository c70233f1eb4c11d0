// sley: reach=true race=true deadlock=false memory=true overflow=true
// A worker that gets an empty request returns without giving back its slot.
// why: `slots`, which is 0: handle #1 took it in step \d+ .* has ended in step \d+ .* without posting
#include <pthread.h>
#include <semaphore.h>

static sem_t slots;

static void *handle(void *request)
{
    sem_wait(&slots);  // decisive
    if (request == NULL)
        return NULL;
    sem_post(&slots);
    return NULL;
}

int main(void)
{
    pthread_t one, two;
    sem_init(&slots, 0, 1);
    pthread_create(&one, NULL, handle, NULL);
    pthread_create(&two, NULL, handle, "GET");
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    sem_destroy(&slots);
    return 0;
}
