// sley: reach=false race=true deadlock=true memory=true overflow=true
// A preprocessed file, as a compiler leaves it: declarations in place of headers, line markers, __assert_fail.
# 1 "preprocessed.c"
# 1 "<built-in>"
# 1 "<command-line>"
# 1 "preprocessed.c"
# 1 "/usr/include/pthread.h" 1 3 4
typedef unsigned long int pthread_t;
union pthread_attr_t { char __size[56]; long int __align; };
typedef union pthread_attr_t pthread_attr_t;
typedef union { char __size[40]; long int __align; } pthread_mutex_t;
extern int pthread_create (pthread_t *__restrict __newthread, const pthread_attr_t *__restrict __attr,
      void *(*__start_routine) (void *), void *__restrict __arg)
      __attribute__ ((__nothrow__)) __attribute__ ((__nonnull__ (1, 3)));
extern int pthread_join (pthread_t __th, void **__thread_return);
extern int pthread_mutex_lock (pthread_mutex_t *__mutex) __attribute__ ((__nothrow__ , __leaf__));
extern int pthread_mutex_unlock (pthread_mutex_t *__mutex) __attribute__ ((__nothrow__ , __leaf__));
# 1 "/usr/include/assert.h" 1 3 4
extern void __assert_fail (const char *__assertion, const char *__file, unsigned int __line, const char *__function)
     __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__noreturn__));
# 5 "preprocessed.c" 2
pthread_mutex_t lock = {{0}};
int counter;

void *worker(void *unused)
{
    pthread_mutex_lock(&lock);
    int seen = counter;
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    counter = seen + 1;
    pthread_mutex_unlock(&lock);
    return ((void *)0);
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, ((void *)0), worker, ((void *)0));
    worker(((void *)0));
    pthread_join(thread, ((void *)0));
    ((void) sizeof ((counter == 2) ? 1 : 0), __extension__ ({ if (counter == 2) ; else __assert_fail ("counter == 2", "preprocessed.c", 28, __extension__ __PRETTY_FUNCTION__); }));
    return 0;
}
