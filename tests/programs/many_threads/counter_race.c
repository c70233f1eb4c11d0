// sley: reach=true race=false deadlock=true
// As counter_lock.c, but one thread that looks first does so without the lock.
#include <assert.h>
#include <pthread.h>

#define N 10000

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_t ids[N];
static int even;

static void *add(void *unused) {
  if (even == 1)
    return NULL;
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
