// sley: reach=true race=false deadlock=true memory=false overflow=true
// A block that main makes once, and frees when only one of two workers has ended.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic int *box;

static void *worker(void *unused) {
  *box = 1;
  assert(*box == 1);
  return NULL;
}

int main(void) {
  pthread_t one, two;
  box = malloc(sizeof *box);
  *box = 0;
  pthread_create(&one, NULL, worker, NULL);
  pthread_create(&two, NULL, worker, NULL);
  pthread_join(one, NULL);
  free((void *)box);
  return 0;
}
