// sley: reach=true race=true deadlock=true memory=true overflow=true
// Who creates a thread was created before: the numbers of threads are known.
#include <assert.h>
#include <pthread.h>
_Atomic int x;
void *leaf(void *u) { x++; return 0; }
void *mid(void *u) { pthread_t t; pthread_create(&t, 0, leaf, 0); pthread_join(t, 0); x++; return 0; }
int main(void) { pthread_t a; pthread_create(&a, 0, mid, 0); pthread_join(a, 0); assert(x == 2); return 0; }
