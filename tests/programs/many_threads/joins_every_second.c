// sley: reach=true race=false deadlock=true memory=true overflow=true
// Main creates with every number, and joins with every second one.
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
    pthread_create(&ids[i], NULL, work, NULL);
  for (int i = 0; i < N; i += 2)
    pthread_join(ids[i], NULL);
  shared = 0;
  return 0;
}
