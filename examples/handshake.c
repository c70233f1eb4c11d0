#include <assert.h>
#include <pthread.h>

int wants_a, wants_b, inside;

void *a(void *unused)
{
    wants_a = 1;
    if (!wants_b)
        assert(++inside == 1);
    return 0;
}

void *b(void *unused)
{
    wants_b = 1;
    if (!wants_a)
        assert(++inside == 1);
    return 0;
}

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, 0, a, 0);
    pthread_create(&second, 0, b, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
}
