// sley: reach=true race=true deadlock=false memory=true overflow=true misuse=true
// Two mutexes of C11 are taken in opposite orders.
#include <threads.h>

mtx_t left, right;

int worker(void *unused)
{
    mtx_lock(&right);
    mtx_lock(&left);
    mtx_unlock(&left);
    mtx_unlock(&right);
    return 0;
}

int main(void)
{
    thrd_t thread;
    mtx_init(&left, mtx_plain);
    mtx_init(&right, mtx_plain);
    thrd_create(&thread, worker, 0);
    mtx_lock(&left);
    mtx_lock(&right);
    mtx_unlock(&right);
    mtx_unlock(&left);
    thrd_join(thread, 0);
    return 0;
}
