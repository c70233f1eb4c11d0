// sley: reach=true race=true deadlock=true memory=true overflow=true
// An atomic section completes only after a plain write: the two are never next at the same time.
#include <pthread.h>

extern void __VERIFIER_assume(int);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

int data;

void *writer(void *unused)
{
    data = 1;
    return 0;
}

void *reader(void *unused)
{
    __VERIFIER_atomic_begin();
    __VERIFIER_assume(data == 1);
    __VERIFIER_atomic_end();
    return 0;
}

int main(void)
{
    pthread_t one, other;
    pthread_create(&one, 0, writer, 0);
    pthread_create(&other, 0, reader, 0);
    return 0;
}
