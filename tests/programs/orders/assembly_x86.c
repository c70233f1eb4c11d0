// sley: reach=true race=true deadlock=true memory=true overflow=true
// What instructions of x86 change at once, by what they do.
#include <assert.h>
#include <pthread.h>

static int counter, flag = 1;
static long sum;
static unsigned char locked;

static int add(int *target, int value)
{
    __asm__ __volatile__("lock; xaddl %0, %1" : "+r"(value), "+m"(*target) : : "memory", "cc");
    return value;
}

static int swap_if(int *target, int expected, int desired)
{
    int found;
    __asm__ __volatile__("lock\n\tcmpxchgl %2, %1" : "=a"(found), "+m"(*target) : "r"(desired), "0"(expected) : "memory");
    return found;
}

static int is_swapped(int *target, int expected, int desired)
{
    unsigned char done;
    __asm__ volatile("lock; cmpxchgl %[desired], %[target]; sete %[done]"
                     : [target] "+m"(*target), [done] "=q"(done), "+a"(expected) : [desired] "r"(desired) : "memory", "cc");
    return done;
}

static unsigned char take(unsigned char *target)
{
    unsigned char one = 1;
    __asm__ __volatile__("xchgb %b0, %1" : "=q"(one), "=m"(*target) : "0"(one) : "memory");
    return one;
}

static void *worker(void *unused)
{
    add(&counter, 2);
    __asm__ __volatile__("lock incq %0" : "+m"(sum) : : "memory");
    __asm__ __volatile__("lock; addq %1, %0" : "+m"(sum) : "ir"(4L) : "memory");
    if (take(&locked) == 0)
        flag = 2;
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    int before = add(&counter, 3);
    assert(before == 0 || before == 2);
    __asm__ __volatile__("lock; subq $1, %0" : "+m"(sum) : : "memory");
    if (take(&locked) == 0)
        flag = 3;
    pthread_join(thread, 0);
    assert(counter == 5 && sum == 4 && flag != 1);
    assert(swap_if(&counter, 4, 9) == 5 && counter == 5);
    assert(swap_if(&counter, 5, 9) == 5 && counter == 9);
    assert(!is_swapped(&counter, 8, 1) && is_swapped(&counter, 9, 1) && counter == 1);
    unsigned char is_zero;
    __asm__ __volatile__("lock decl %0; setz %1" : "+m"(counter), "=qm"(is_zero) : : "memory");
    assert(is_zero && counter == 0);
    return 0;
}
