// sley: reach=true race=false deadlock=true memory=true overflow=true
// A thread overwrites the id of another one with that of a third.
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

static void *nothing(void *unused) {
  return NULL;
}

static void *mess(void *unused) {
  pthread_t made;
  pthread_create(&made, NULL, nothing, NULL);
  ids[1] = made;
  return NULL;
}

int main(void) {
  for (int i = 1; i < N; i++)
    pthread_create(&ids[i], NULL, work, NULL);
  pthread_create(&ids[0], NULL, mess, NULL);
  pthread_join(ids[0], NULL);
  pthread_create(&ids[0], NULL, nothing, NULL);
  for (int i = 0; i < N; i++)
    pthread_join(ids[i], NULL);
  shared = 0;
  return 0;
}
