// sley: reach=true race=true deadlock=true memory=true overflow=true
// A block of any size that calloc has zeroed: a thread reads any element of it.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int *numbers;
int length;

static void *reader(void *unused)
{
    int place = __VERIFIER_nondet_int();
    if (place >= 0 && place < length)
        assert(numbers[place] == 0);
    return unused;
}

int main(void)
{
    pthread_t one;
    int n = __VERIFIER_nondet_int();
    if (n < 1)
        return 0;
    numbers = calloc(n, sizeof *numbers);
    length = n;
    pthread_create(&one, 0, reader, 0);
    pthread_join(one, 0);
    free(numbers);
    return 0;
}
