// sley: reach=true race=true deadlock=true memory=true overflow=true
// What ESBMC calls assumptions, assertions, arbitrary values and atomic sections.
#include <pthread.h>

void __ESBMC_assume(_Bool condition);
void __ESBMC_assert(_Bool condition, const char *description);
void __ESBMC_atomic_begin(void);
void __ESBMC_atomic_end(void);
int nondet_int(void);

int count;

void *worker(void *unused)
{
    __ESBMC_atomic_begin();
    int old = count;
    count = old + 1;
    __ESBMC_atomic_end();
    return 0;
}

int main(void)
{
    pthread_t thread;
    int input = nondet_int();
    __ESBMC_assume(input >= 1 && input <= 3);
    __ESBMC_assert(input != 0, "not null");
    pthread_create(&thread, 0, worker, 0);
    worker(0);
    pthread_join(thread, 0);
    __ESBMC_assert(count == 2, "no increment is lost");
    return 0;
}
