// sley: race=true
// Every thread has an element of its own, by a number that main gives it; main reads them all in the end.
#include <pthread.h>

#define N 1000

static int results[N];

static void *work(void *argument) {
  long me = (long)argument;
  results[me] = 1;
  return NULL;
}

int main(void) {
  pthread_t ids[N];
  for (long i = 0; i < N; i++)
    pthread_create(&ids[i], NULL, work, (void *)i);
  for (long i = 0; i < N; i++)
    pthread_join(ids[i], NULL);
  return results[0] ^ results[N - 1];
}
