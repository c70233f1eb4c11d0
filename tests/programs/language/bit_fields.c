// sley: reach=true race=true deadlock=true memory=true overflow=true
// Bit-fields: signed and unsigned, next to each other, wider than a byte, wrapping; threads own different words.
#include <assert.h>
#include <pthread.h>

struct flags {
    unsigned ready : 1;
    unsigned level : 3;
    signed delta : 4;
    unsigned long long wide : 40;
    unsigned : 0;
    unsigned other : 9;
};

struct flags shared;

static void *set_other(void *unused)
{
    shared.other = 300;
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, set_other, 0);
    shared.ready = 3;
    shared.level = 7;
    shared.level++;
    shared.delta = -8;
    shared.wide = 0xfffffffffffULL;
    pthread_join(thread, 0);
    assert(shared.ready == 1 && shared.level == 0 && shared.delta == -8);
    assert(shared.wide == 0xffffffffffULL && shared.other == 300);
    shared.delta += 3;
    shared.other <<= 1;
    assert(shared.delta == -5 && shared.other == 88);
    return 0;
}
