// sley: reach=true race=true
// How many threads there are is an input; so is the length of the array of their ids.
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
  for (int i = 0; i < n; i++)
    pthread_join(ids[i], NULL);
  int last = shared;
  free(ids);
  return last;
}
