// sley: reach=false race=false deadlock=true memory=true overflow=true misuse=true
// Two threads of C11 count without a mutex.
#include <assert.h>
#include <threads.h>

int count;

int worker(void *unused)
{
    int old = count;
    count = old + 1;
    return 0;
}

int main(void)
{
    thrd_t one, other;
    thrd_create(&one, worker, 0);
    thrd_create(&other, worker, 0);
    thrd_join(one, 0);
    thrd_join(other, 0);
    assert(count == 2);
    return 0;
}
