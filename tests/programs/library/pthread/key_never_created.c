// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=false
// A key that nobody has created.
#include <pthread.h>

pthread_key_t key;

int main(void)
{
    pthread_setspecific(key, 0);
    return 0;
}
