// sley: reach=false race=true deadlock=true memory=true overflow=true
// One thread is busy for ever with memory that only it knows; the other one still gets its turn.
#include <assert.h>
#include <pthread.h>

int rounds[2];
_Atomic int flag;

void *busy(void *unused)
{
    int i = 0;
    flag = 1;
    while (1) {
        rounds[i] = rounds[i] ^ 1;
        i = 1 - i;
    }
    return 0;
}

void *observer(void *unused)
{
    assert(flag == 0);
    return 0;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, 0, observer, 0);
    pthread_create(&two, 0, busy, 0);
    pthread_join(one, 0);
    return 0;
}
