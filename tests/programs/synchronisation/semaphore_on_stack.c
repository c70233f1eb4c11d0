// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=true
// A semaphore on the stack of who waits for it: destroyed, and gone, as soon as the post has let it go on.
#include <pthread.h>
#include <semaphore.h>

void *helper(void *done)
{
    sem_post(done);
    return 0;
}

void ask(void)
{
    pthread_t one;
    sem_t done;
    sem_init(&done, 0, 0);
    pthread_create(&one, 0, helper, &done);
    pthread_detach(one);
    sem_wait(&done);
    sem_destroy(&done);
}

int main(void)
{
    ask();
    return 0;
}
