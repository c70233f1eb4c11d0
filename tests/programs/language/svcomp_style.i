// sley: reach=true race=true deadlock=true memory=true overflow=true
// The style of verification tasks: everything declared by hand, no headers, no line markers.
typedef unsigned long int pthread_t;
typedef union
{
  struct __pthread_mutex_s
  {
    int __lock;
    unsigned int __count;
    int __owner;
    unsigned int __nusers;
    int __kind;
    short __spins;
    short __elision;
    struct { void *__prev; void *__next; } __list;
  } __data;
  char __size[40];
  long int __align;
} pthread_mutex_t;
extern int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
extern int pthread_join(pthread_t, void **);
extern int pthread_mutex_lock(pthread_mutex_t *);
extern int pthread_mutex_unlock(pthread_mutex_t *);
extern void abort(void);
extern void __VERIFIER_assume(int);
extern int __VERIFIER_nondet_int(void);
void reach_error() {}
void __VERIFIER_assert(int condition) { if (!condition) { ERROR: { reach_error(); abort(); } } }

pthread_mutex_t lock = { { 0, 0, 0, 0, 0, 0, 0, { 0, 0 } } };
int balance;

void *deposit(void *amount)
{
  pthread_mutex_lock(&lock);
  balance += *(int *)amount;
  pthread_mutex_unlock(&lock);
  return 0;
}

int main()
{
  pthread_t t1, t2;
  int amount = __VERIFIER_nondet_int();
  __VERIFIER_assume(amount > 0 && amount < 4);
  pthread_create(&t1, 0, deposit, &amount);
  pthread_create(&t2, 0, deposit, &amount);
  pthread_join(t1, 0);
  pthread_join(t2, 0);
  __VERIFIER_assert(balance == 2 * amount);
  return 0;
}
