// sley: reach=true race=false deadlock=true memory=true overflow=true
// The section always aborts: the process ends by it, so the write never follows it. Both are due at once all the same.
#include <pthread.h>
#include <stdlib.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

int x;

void *reader(void *argument)
{
    __VERIFIER_atomic_begin();
    if (x <= 2)
        abort();
    __VERIFIER_atomic_end();
    return 0;
}

void *writer(void *argument)
{
    x = 1;
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, reader, 0);
    pthread_create(&b, 0, writer, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
