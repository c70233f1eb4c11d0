// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=true
// A deadline some seconds from now, and times in smaller units, fit into their types.
#include <assert.h>
#include <pthread.h>
#include <sys/time.h>
#include <time.h>

int main(void)
{
    pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
    struct timespec until;
    struct timeval now;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += 5;
    until.tv_nsec += 500 * 1000000L;
    if (until.tv_nsec >= 1000000000L) {
        until.tv_nsec -= 1000000000L;
        until.tv_sec++;
    }
    pthread_mutex_lock(&lock);
    pthread_cond_timedwait(&condition, &lock, &until);
    pthread_mutex_unlock(&lock);
    gettimeofday(&now, 0);
    long long microseconds = now.tv_sec * 1000000LL + now.tv_usec;
    assert(microseconds >= 0);
    clock_t ticks = clock();
    time_t later = time(0) + 3600;
    return ticks + 1 < 0 || later < 0;
}
