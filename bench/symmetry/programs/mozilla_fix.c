// One thread starts another and then notes its handle, which the other uses: a lock makes the other wait for it.
// After the Mozilla bug in nsThread.cpp described in: S. Lu, S. Park, E. Seo, Y. Zhou, "Learning from mistakes: a
// comprehensive study on real world concurrency bug characteristics", ASPLOS 2008, Fig. 2.
// BUG: the started thread does not take the lock.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

pthread_mutex_t start_lock = PTHREAD_MUTEX_INITIALIZER;
_Atomic _Bool is_started;
int handle; // 0: not known

void *thread_one(void *unused) // nsThread::Init
{
    pthread_mutex_lock(&start_lock);
    is_started = 1; // from here on the other runs
    handle = 1;
    pthread_mutex_unlock(&start_lock);
    return 0;
}

void *thread_two(void *unused) // nsThread::Main
{
    while (!is_started)
        ;
#ifndef BUG
    pthread_mutex_lock(&start_lock);
    pthread_mutex_unlock(&start_lock);
#endif
    assert(handle == 1);
    return 0;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, 0, thread_one, 0);
    pthread_create(&two, 0, thread_two, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
