// sley: reach=false race=true deadlock=true memory=true overflow=true
// Two threads count in one variable under a lock until a limit that is an input, which one of them passes.
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int limit, count;

void *worker(void *unused)
{
    while (1) {
        pthread_mutex_lock(&lock);
        if (count == limit + 1) {
            pthread_mutex_unlock(&lock);
            return 0;
        }
        count++;
        assert(count <= limit);
        pthread_mutex_unlock(&lock);
    }
}

int main(void)
{
    pthread_t one, two;
    limit = __VERIFIER_nondet_int();
    if (limit < 0 || limit > 1000)
        return 0;
    pthread_create(&one, 0, worker, 0);
    pthread_create(&two, 0, worker, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
