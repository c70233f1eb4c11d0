// sley: reach=true race=true deadlock=true memory=true overflow=true
// The function that a thread runs is chosen from a table.
#include <assert.h>
#include <pthread.h>

int first_ran, second_ran;

void *first(void *unused)
{
    first_ran++;
    return 0;
}

void *second(void *unused)
{
    second_ran++;
    return 0;
}

void *(*const jobs[2])(void *) = {first, second};

int main(void)
{
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], 0, jobs[i], 0);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], 0);
    assert(first_ran == 1 && second_ran == 1);
    return 0;
}
