#include <assert.h>
#include <pthread.h>

int data, ready;

void *producer(void *arg) {
  data = 42;
  ready = 1;
  return 0;
}

void *consumer(void *arg) {
  if (ready)
    assert(data == 42);
  return 0;
}

int main(void) {
  pthread_t p, c;
  pthread_create(&p, 0, producer, 0);
  pthread_create(&c, 0, consumer, 0);
  pthread_join(p, 0);
  pthread_join(c, 0);
  return 0;
}
