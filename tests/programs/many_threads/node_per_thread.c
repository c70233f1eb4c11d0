// sley: race=true deadlock=true
// Every thread puts nodes of its own into a list, under a lock; what it has not published nobody else sees.
#include <pthread.h>
#include <stdlib.h>

#define N 100

struct node {
  int value;
  struct node *next;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct node *list;

static void *push(void *argument) {
  struct node *made = malloc(sizeof *made);
  made->value = (int)(long)argument;
  pthread_mutex_lock(&lock);
  made->next = list;
  list = made;
  pthread_mutex_unlock(&lock);
  return NULL;
}

int main(void) {
  pthread_t ids[N];
  for (long i = 0; i < N; i++)
    pthread_create(&ids[i], NULL, push, (void *)i);
  for (long i = 0; i < N; i++)
    pthread_join(ids[i], NULL);
  int sum = 0;
  for (struct node *each = list; each; each = each->next)
    sum ^= each->value;
  return sum;
}
