// sley: race=false deadlock=true
// Every thread puts a node of its own into a list, and writes its value when others see it already.
#include <pthread.h>
#include <stdlib.h>

#define N 20

struct node {
  int value;
  struct node *next;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct node *list;

static void *push(void *argument) {
  struct node *made = malloc(sizeof *made);
  pthread_mutex_lock(&lock);
  made->next = list;
  if (list)
    list->value = 0;
  list = made;
  pthread_mutex_unlock(&lock);
  made->value = (int)(long)argument;
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
