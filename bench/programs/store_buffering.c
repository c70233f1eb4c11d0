// A ring of threads: in every column each sets its own cell, then looks at its neighbour's. Not all of them can
// have been too early: THREADS, COLUMNS.
#include <assert.h>
#include <pthread.h>

int cell[THREADS][COLUMNS], seen[THREADS][COLUMNS];

void *worker(void *argument)
{
    int self = (int)(long)argument, next = (self + 1) % THREADS;
    for (int c = 0; c < COLUMNS; c++) {
        cell[self][c] = 1;
        seen[self][c] = cell[next][c];
    }
    return 0;
}

int main(void)
{
    pthread_t thread[THREADS];
    for (long i = 0; i < THREADS; i++)
        pthread_create(&thread[i], 0, worker, (void *)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(thread[i], 0);
    for (int c = 0; c < COLUMNS; c++) {
        int sum = 0;
        for (int i = 0; i < THREADS; i++)
            sum = sum + seen[i][c];
        assert(sum > 0);
    }
    return 0;
}
