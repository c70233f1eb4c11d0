// A character device in memory, in quanta, that one thread reads, one writes, and one sets up and clears; a semaphore
// keeps them apart. Data and lists are left out: whether a copy succeeds or memory is there is an input.
// After the driver scull of: J. Corbet, A. Rubini, G. Kroah-Hartman, "Linux device drivers", third edition, 2005,
// chapters 3 and 5; it reads the quantum before it takes the semaphore, here after.
// BUG: reads without the semaphore.
#include <assert.h>
#include <pthread.h>

extern _Bool __VERIFIER_nondet_bool(void);
enum { QUANTUM = 4, QUANTA = 2, COUNT = 10 };
enum { LOADER = 1, READER, WRITER };
pthread_mutex_t semaphore = PTHREAD_MUTEX_INITIALIZER;
int quantum = QUANTUM, quanta = QUANTA, size; // of the device
int user; // who is in it

void trim(int who)
{
    user = who;
    size = 0;
    quantum = QUANTUM;
    quanta = QUANTA;
    assert(user == who);
}

void open_device(int who, _Bool is_for_writing)
{
    if (is_for_writing) {
        pthread_mutex_lock(&semaphore);
        trim(who);
        pthread_mutex_unlock(&semaphore);
    }
}

int read_device(int position, int count)
{
    int result = 0;
#ifndef BUG
    pthread_mutex_lock(&semaphore);
#endif
    user = READER;
    if (position < size) {
        int rest = position % (quantum * quanta) % quantum;
        if (count > size - position)
            count = size - position;
        if (count > quantum - rest) // no further than this quantum
            count = quantum - rest;
        if (__VERIFIER_nondet_bool())
            result = -1; // the copy failed
        else
            result = count;
    }
    assert(user == READER);
#ifndef BUG
    pthread_mutex_unlock(&semaphore);
#endif
    return result;
}

int write_device(int position, int count)
{
    int result = -1;
    pthread_mutex_lock(&semaphore);
    user = WRITER;
    if (__VERIFIER_nondet_bool()) { // there is memory
        int rest = position % (quantum * quanta) % quantum;
        if (count > quantum - rest)
            count = quantum - rest;
        if (__VERIFIER_nondet_bool()) { // the copy succeeded
            result = count;
            if (size < position + count)
                size = position + count;
        }
    }
    assert(user == WRITER);
    pthread_mutex_unlock(&semaphore);
    return result;
}

void *loader(void *unused)
{
    pthread_mutex_lock(&semaphore);
    trim(LOADER);
    pthread_mutex_unlock(&semaphore);
    return 0;
}

void *reads(void *unused)
{
    int result;
    open_device(READER, 0);
    result = read_device(0, COUNT);
    assert(result <= QUANTUM);
    return 0;
}

void *writes(void *unused)
{
    int result;
    open_device(WRITER, 1);
    result = write_device(0, COUNT);
    assert(result <= QUANTUM);
    return 0;
}

int main(void)
{
    pthread_t one, two, three;
    pthread_create(&one, 0, loader, 0);
    pthread_create(&two, 0, reads, 0);
    pthread_create(&three, 0, writes, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    pthread_join(three, 0);
    return 0;
}
