// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=true
// call_once runs the function once, and nobody goes on before it is done.
#include <assert.h>
#include <threads.h>

once_flag flag = ONCE_FLAG_INIT;
int value;

void initialise(void)
{
    value++;
}

int worker(void *unused)
{
    call_once(&flag, initialise);
    assert(value == 1);
    return 0;
}

int main(void)
{
    thrd_t thread;
    thrd_create(&thread, worker, 0);
    worker(0);
    thrd_join(thread, 0);
    return 0;
}
