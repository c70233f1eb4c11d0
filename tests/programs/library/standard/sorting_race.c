// sley: reach=true race=false deadlock=true memory=true overflow=true misuse=true
// An array is sorted while another thread reads it.
#include <pthread.h>
#include <stdlib.h>

int numbers[2] = {2, 1};

int by_number(const void *one, const void *other)
{
    return *(const int *)one < *(const int *)other ? -1 : 1;
}

void *worker(void *unused)
{
    qsort(numbers, 2, sizeof *numbers, by_number);
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    int first = numbers[0];
    pthread_join(thread, 0);
    return first;
}
