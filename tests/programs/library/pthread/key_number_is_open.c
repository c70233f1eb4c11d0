// sley: reach=false race=true deadlock=true memory=true overflow=true misuse=true
// Which number a key is, POSIX leaves open.
#include <assert.h>
#include <pthread.h>

int main(void)
{
    pthread_key_t key;
    if (pthread_key_create(&key, 0) == 0)
        assert(key != 17);
    return 0;
}
