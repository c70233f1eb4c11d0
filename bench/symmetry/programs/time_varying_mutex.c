// A block of a file system is protected by one of two locks, by turns: that of its inode once the inode has it, that
// of its busy bit before. Whoever writes the block finds in it what it wrote.
// After the example of a time-varying mutex in: C. Flanagan, S. N. Freund, S. Qadeer, "Thread-modular verification
// for shared-memory programs", ESOP 2002.
// BUG: the second thread looks at the busy bit without its lock.
#include <assert.h>
#include <pthread.h>

extern _Bool __VERIFIER_nondet_bool(void);
pthread_mutex_t inode_lock = PTHREAD_MUTEX_INITIALIZER, busy_lock = PTHREAD_MUTEX_INITIALIZER;
_Bool inode; // has the block
_Bool busy;
int block;

void *thread_one(void *unused) // allocates the block if it has none, and writes it
{
    pthread_mutex_lock(&inode_lock);
    if (!inode) {
        pthread_mutex_lock(&busy_lock);
        busy = 1;
        pthread_mutex_unlock(&busy_lock);
        inode = 1;
    }
    block = 1;
    assert(block == 1);
    pthread_mutex_unlock(&inode_lock);
    return 0;
}

void *thread_two(void *unused) // clears the block if it is free
{
#ifndef BUG
    pthread_mutex_lock(&busy_lock);
#endif
    if (!busy) {
        block = 0;
        assert(block == 0);
    }
#ifndef BUG
    pthread_mutex_unlock(&busy_lock);
#endif
    return 0;
}

int main(void)
{
    pthread_t one, two;
    inode = __VERIFIER_nondet_bool();
    busy = inode;
    pthread_create(&one, 0, thread_one, 0);
    pthread_create(&two, 0, thread_two, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
