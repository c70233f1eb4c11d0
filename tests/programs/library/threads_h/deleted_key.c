// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=false
// A key is used after it was deleted.
#include <threads.h>

int main(void)
{
    tss_t key;
    tss_create(&key, 0);
    tss_delete(key);
    tss_get(key);
    return 0;
}
