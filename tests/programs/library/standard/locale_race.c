// sley: reach=true race=false deadlock=true memory=true overflow=true
// The locale is one for all threads: `setlocale` may race with what follows it (C11 7.11.1.1p5).
#include <ctype.h>
#include <locale.h>
#include <pthread.h>

static void *thread(void *unused)
{
    return isalpha('x') ? unused : 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, thread, 0);
    setlocale(LC_ALL, "C");
    pthread_join(t, 0);
    return 0;
}
