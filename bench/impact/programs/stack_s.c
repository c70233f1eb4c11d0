// expect: safe
// A stack of five elements under one lock: who pops asks first whether there is something.
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

#define SIZE 5
#define OVERFLOW (-1)
#define UNDERFLOW (-2)

int stack[SIZE];
int top;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

int push(int value)
{
    if (top == SIZE)
        return OVERFLOW;
    stack[top] = value;
    top = top + 1;
    return 0;
}

int pop(void)
{
    if (top == 0)
        return UNDERFLOW;
    top = top - 1;
    return stack[top];
}

void *thread_one(void *unused)
{
    for (int i = 0; i < SIZE; i++) {
        pthread_mutex_lock(&lock);
        int value = __VERIFIER_nondet_int();
        __VERIFIER_assume(0 <= value && value < SIZE);
        assert(push(value) != OVERFLOW);
        pthread_mutex_unlock(&lock);
    }
    return 0;
}

void *thread_two(void *unused)
{
    for (int i = 0; i < SIZE; i++) {
        pthread_mutex_lock(&lock);
        if (top > 0)
            assert(pop() != UNDERFLOW);
        pthread_mutex_unlock(&lock);
    }
    return 0;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, 0, thread_one, 0);
    pthread_create(&two, 0, thread_two, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
