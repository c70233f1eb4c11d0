// sley: reach=true race=false deadlock=true memory=true overflow=true misuse=true
// That a semaphore is found at zero does not order the read after the write of who took the last unit.
#include <pthread.h>
#include <semaphore.h>

sem_t s;
int data;

void *writer(void *unused)
{
    data = 1;
    sem_wait(&s);
    return 0;
}

int main(void)
{
    pthread_t one;
    int found = 0;
    sem_init(&s, 0, 1);
    pthread_create(&one, 0, writer, 0);
    if (sem_trywait(&s) != 0)
        found = data;
    return found & 0;
}
