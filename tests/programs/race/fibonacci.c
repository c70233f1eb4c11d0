// sley: reach=true race=true deadlock=true memory=true overflow=true
// Two threads add each other's number to their own, three times: no order gets beyond the eighth Fibonacci number.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { ROUNDS = 3, LARGEST = 21 };
atomic_int a = 1, b = 1;

void *add_b(void *unused)
{
    for (int i = 0; i < ROUNDS; i++)
        a = a + b;
    return 0;
}

void *add_a(void *unused)
{
    for (int i = 0; i < ROUNDS; i++)
        b = b + a;
    return 0;
}

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, 0, add_b, 0);
    pthread_create(&second, 0, add_a, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    assert(a <= LARGEST && b <= LARGEST);
    return 0;
}
