// sley: reach=true race=true deadlock=true
// 10,000 threads add under a lock; main waits for all of them, and looks.
#include <assert.h>
#include <pthread.h>

#define N 10000

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_t ids[N];
static int even;

static void *add(void *unused) {
  pthread_mutex_lock(&lock);
  even = even == 2 ? 0 : 2;
  assert(even == 0 || even == 2);
  pthread_mutex_unlock(&lock);
  return NULL;
}

int main(void) {
  for (int i = 0; i < N; i++)
    pthread_create(&ids[i], NULL, add, NULL);
  for (int i = 0; i < N; i++)
    pthread_join(ids[i], NULL);
  assert(even == 0 || even == 2);
  return 0;
}
