// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=true args="--entry add,total --setup make_list --make make_node,small"
// Callers share the list that `make_list` returns; each added node is a new one, with a small number in it.

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int);

typedef struct list list;

struct node {
    int value;
    struct node *next;
};

struct list {
    pthread_mutex_t lock;
    struct node *first;
};

list *make_list(void) {
    list *made = malloc(sizeof *made);
    pthread_mutex_init(&made->lock, 0);
    made->first = 0;
    return made;
}

static int small(void) {
    int number = __VERIFIER_nondet_int();
    __VERIFIER_assume(0 <= number && number < 2);
    return number;
}

static struct node *make_node(int value) {
    struct node *made = malloc(sizeof *made);
    made->value = value;
    made->next = 0;
    return made;
}

void add(list *l, struct node *node) {
    pthread_mutex_lock(&l->lock);
    node->next = l->first;
    l->first = node;
    pthread_mutex_unlock(&l->lock);
}

int total(list *l) {
    int sum = 0;
    pthread_mutex_lock(&l->lock);
    for (const struct node *one = l->first; one; one = one->next)
        sum += one->value;
    pthread_mutex_unlock(&l->lock);
    assert(0 <= sum && sum <= 2);
    return sum;
}
