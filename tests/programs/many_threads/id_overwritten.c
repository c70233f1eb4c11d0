// sley: reach=true race=false deadlock=true memory=true overflow=true
// An id is overwritten by another one before the loop that joins.
#include <pthread.h>
#include <stdlib.h>

#define N 3

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int shared;

static void *work(void *unused) {
  pthread_mutex_lock(&lock);
  shared = !shared;
  pthread_mutex_unlock(&lock);
  return NULL;
}

int main(void) {
  pthread_t ids[N], first;
  pthread_create(&first, NULL, work, NULL);
  for (int i = 0; i < N; i++)
    pthread_create(&ids[i], NULL, work, NULL);
  pthread_t last = ids[N - 1];
  ids[N - 1] = first;
  for (int i = 0; i < N; i++)
    pthread_join(ids[i], NULL);
  (void)last;
  shared = 0;
  return 0;
}
