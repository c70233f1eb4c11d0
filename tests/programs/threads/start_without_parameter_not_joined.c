// sley: reach=false race=false deadlock=true memory=true
#include <assert.h>
#include <pthread.h>

int done;

void work() { done = 1; }

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, (void *(*)(void *))work, 0);
  assert(done == 1);
  return 0;
}
