// sley: reach=false race=true
// Which of two mutexes is given back is not known: the other one is still held, so that to lock it again is an error.
#include <assert.h>
#include <pthread.h>

extern _Bool __VERIFIER_nondet_bool(void);

pthread_mutex_t first, second;

void *worker(void *unused)
{
    pthread_mutex_lock(&first);
    pthread_mutex_lock(&second);
    pthread_mutex_unlock(__VERIFIER_nondet_bool() ? &first : &second);
    assert(pthread_mutex_lock(&first) == 0);
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_init(&first, &attributes);
    pthread_mutex_init(&second, &attributes);
    pthread_create(&thread, 0, worker, 0);
    pthread_join(thread, 0);
    return 0;
}
