// sley: reach=false race=true deadlock=true memory=true overflow=true
// Tokens, as many as an input says, are moved one by one from one counter to another: two at once leave one out.
#include <assert.h>
#include <pthread.h>

extern unsigned __VERIFIER_nondet_uint(void);

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
unsigned all, left, moved;

void *worker(void *unused)
{
    int is_over = 0;
    while (!is_over) {
        pthread_mutex_lock(&lock);
        is_over = left == 0;
        if (!is_over) {
            left--;
            moved += left != 1;
        }
        assert(left + moved == all);
        pthread_mutex_unlock(&lock);
    }
    return 0;
}

int main(void)
{
    pthread_t one, two;
    all = left = __VERIFIER_nondet_uint();
    pthread_create(&one, 0, worker, 0);
    pthread_create(&two, 0, worker, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
