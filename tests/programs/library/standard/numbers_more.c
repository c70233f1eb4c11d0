// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=true
// Further functions of <stdlib.h>.
#include <assert.h>
#include <locale.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

int main(void)
{
    unsigned int seed = 1;
    struct timeval now;
    struct timespec resolution;
    assert(abs(-1) == 1 && labs(-2L) == 2 && llabs(-3LL) == 3);
    assert(strtoll("-9", NULL, 10) == -9 && strtoull("0xff", NULL, 0) == 255);
    assert(rand_r(&seed) >= 0);
    srandom(1);
    srand48(1);
    drand48();
    assert(lrand48() >= 0 && random() >= 0);
    setlocale(LC_ALL, "");
    system("true");
    assert(gettimeofday(&now, NULL) == 0 && now.tv_usec < 1000000);
    assert(clock_getres(CLOCK_REALTIME, &resolution) == 0);
    assert(difftime(3, 1) == 2.0);
    assert(getpid() > 0);
    sysconf(_SC_NPROCESSORS_ONLN);
    return 0;
}
