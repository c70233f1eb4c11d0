// sley: reach=true race=false
// As any_number.c, but one thread is not waited for before main looks.
#include <pthread.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int shared;

static void *work(void *unused) {
  pthread_mutex_lock(&lock);
  shared = !shared;
  pthread_mutex_unlock(&lock);
  return NULL;
}

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 10000)
    return 0;
  pthread_t *ids = malloc(n * sizeof *ids);
  for (int i = 0; i < n; i++)
    pthread_create(&ids[i], NULL, work, NULL);
  for (int i = 1; i < n; i++)
    pthread_join(ids[i], NULL);
  int last = shared;
  free(ids);
  return last;
}
