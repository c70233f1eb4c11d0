// sley: reach=true race=false deadlock=true memory=true overflow=true
// A thread changes the number of threads that main counts up to.
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

static pthread_t ids[N];
static int count = N;

static void *fewer(void *unused) {
  count = 1;
  return NULL;
}

int main(void) {
  for (int i = 0; i < count; i++)
    pthread_create(&ids[i], NULL, work, NULL);
  pthread_t other;
  pthread_create(&other, NULL, fewer, NULL);
  pthread_join(other, NULL);
  for (int i = 0; i < count; i++)
    pthread_join(ids[i], NULL);
  shared = 0;
  return 0;
}
