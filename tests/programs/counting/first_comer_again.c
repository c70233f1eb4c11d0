// sley: reach=false race=false deadlock=true memory=true overflow=true
// The counter of those who came goes round: with 257 threads, two take themselves for the first.
#include <assert.h>
#include <pthread.h>

extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
unsigned char came;
int data;

void *worker(void *unused)
{
    unsigned char mine;
    __VERIFIER_atomic_begin();
    mine = came;
        came = mine + 1;
    __VERIFIER_atomic_end();
    if (mine == 0) {
        data = data + 1;
        assert(data == 1);
    }
    return 0;
}

int main(void)
{
    pthread_t thread;
    while (__VERIFIER_nondet_bool())
        pthread_create(&thread, 0, worker, 0);
    return 0;
}
