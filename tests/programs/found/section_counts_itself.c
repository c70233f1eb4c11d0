// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=true
// A loop inside an atomic section, as long as what earlier sections have entered. Engine `bmc` was right about how
// often it runs, and its checker counted the rounds of another path through the section.
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

int numbers[4], count;

static int enter(int number)
{
    int i;
    __VERIFIER_atomic_begin();
    for (i = 0; i < count; i++)
        if (numbers[i] == number)
            break;
    if (i == count) {
        numbers[count] = number;
        count = count + 1;
    }
    __VERIFIER_atomic_end();
    return i;
}

static void *user(void *unused)
{
    assert(enter(7) == 0);
    return 0;
}

int main(void)
{
    pthread_t one, other;
    pthread_create(&one, 0, user, 0);
    pthread_create(&other, 0, user, 0);
    pthread_join(one, 0);
    pthread_join(other, 0);
    return 0;
}
