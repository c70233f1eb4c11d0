// sley: reach=false race=true deadlock=true memory=true overflow=true
// A thread gives back one of two mutexes and goes no further: what it wrote can be read all the same.
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_assume(int);

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
int data, other;

void *writer(void *unused)
{
    pthread_mutex_lock(&m);
    pthread_mutex_lock(&n);
    data = 1;
    pthread_mutex_unlock(&n);
    __VERIFIER_assume(0);
    pthread_mutex_unlock(&m);
    return 0;
}

void *reader(void *unused)
{
    pthread_mutex_lock(&n);
    assert(data == 0);
    pthread_mutex_unlock(&n);
    return 0;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, 0, writer, 0);
    pthread_create(&two, 0, reader, 0);
    pthread_mutex_lock(&m);
    other = 1;
    pthread_mutex_unlock(&m);
    return 0;
}
