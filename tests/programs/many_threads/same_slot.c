// sley: reach=true race=false deadlock=true memory=true overflow=true
// All ids are stored in the same element: one thread is joined, and then again that one.
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
  pthread_t ids[N];
  for (int i = 0; i < N; i++)
    pthread_create(&ids[0], NULL, work, NULL);
  pthread_join(ids[0], NULL);
  shared = 0;
  return 0;
}
