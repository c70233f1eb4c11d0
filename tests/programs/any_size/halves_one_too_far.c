// sley: reach=true race=true deadlock=true memory=false overflow=true
// Two threads fill an array whose length is an input, one from the front and one from the middle on, up to one too far.
#include <pthread.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int *numbers;
int length, middle;

static void *fill_front(void *unused)
{
    for (int i = 0; i < middle; i++)
        numbers[i] = i;
    return unused;
}

static void *fill_back(void *unused)
{
    for (int i = middle; i <= length; i++)
        numbers[i] = i;
    return unused;
}

int main(void)
{
    pthread_t one, other;
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 1000)
        return 0;
    numbers = malloc(n * sizeof *numbers);
    length = n;
    middle = n / 2;
    pthread_create(&one, 0, fill_front, 0);
    pthread_create(&other, 0, fill_back, 0);
    pthread_join(one, 0);
    pthread_join(other, 0);
    free(numbers);
    return 0;
}
