// expect: safe
// A block of a file system is protected by one of two locks, depending on the state of its inode.
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

int block;
int busy;  // whether the block is in use, protected by its lock
int inode; // whether the inode has the block, protected by its lock
int busy_lock, inode_lock;

void __VERIFIER_atomic_lock_inode(void)
{
    __VERIFIER_assume(inode_lock == 0);
    inode_lock = 1;
}

void __VERIFIER_atomic_lock_busy(void)
{
    __VERIFIER_assume(busy_lock == 0);
    busy_lock = 1;
}

void *thread_one(void *unused) // allocates
{
    __VERIFIER_atomic_lock_inode();
    if (inode == 0) {
        __VERIFIER_atomic_lock_busy();
        busy = 1;
        busy_lock = 0;
        inode = 1;
    }
    block = 1;
    assert(block == 1);
    inode_lock = 0;
    return 0;
}

void *thread_two(void *unused) // gives back
{
    __VERIFIER_atomic_lock_busy();
    if (busy == 0) {
        block = 0;
        assert(block == 0);
    }
    busy_lock = 0;
    return 0;
}

int main(void)
{
    pthread_t one, two;
    inode = __VERIFIER_nondet_int();
    busy = __VERIFIER_nondet_int();
    __VERIFIER_assume(inode == busy);
    pthread_create(&one, 0, thread_one, 0);
    pthread_create(&two, 0, thread_two, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
