// sley: reach=false race=false
// As joined.c, with fewer threads, but main does not wait for anybody: it reads `turns` twice, and may see 1, then 0.
#include <pthread.h>
#include <assert.h>

#define N 30

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_t ids[N];
static int turns;

static void *turn(void *unused) {
  pthread_mutex_lock(&lock);
  turns = !turns;
  pthread_mutex_unlock(&lock);
  return NULL;
}

int main(void) {
  int i;
  for (i = 0; i < N; i++)
    pthread_create(&ids[i], NULL, turn, NULL);
  assert(turns == 0 || turns == 1);
  turns = 0;
  return 0;
}
