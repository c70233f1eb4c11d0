// sley: reach=false race=true deadlock=true memory=true overflow=true
// The second worker may get the place of the first one's block, which is gone: the two addresses are the same.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static int *_Atomic last;

static void *worker(void *unused) {
  int *block = malloc(sizeof *block);
  int *before = atomic_exchange(&last, block);
  free(block);
  assert(before != block);
  return NULL;
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, NULL, worker, NULL);
  pthread_create(&two, NULL, worker, NULL);
  pthread_join(one, NULL);
  pthread_join(two, NULL);
  return 0;
}
