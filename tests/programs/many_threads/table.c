// sley: reach=true race=true deadlock=true memory=true overflow=true
// A table that main allocates; threads change any of it, under a lock, until all were joined.
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

extern int __VERIFIER_nondet_int(void);
static pthread_t ids[500];
static int *table, length;

static void *change(void *unused) {
  int i = __VERIFIER_nondet_int();
  pthread_mutex_lock(&lock);
  if (0 <= i && i < length)
    table[i] = 2;
  pthread_mutex_unlock(&lock);
  return NULL;
}

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 1000)
    return 0;
  table = malloc(n * sizeof *table);
  length = n;
  for (int i = 0; i < 500; i++)
    pthread_create(&ids[i], NULL, change, NULL);
  for (int i = 0; i < 500; i++)
    pthread_join(ids[i], NULL);
  table[0] = 1;
  free(table);
  return 0;
}
