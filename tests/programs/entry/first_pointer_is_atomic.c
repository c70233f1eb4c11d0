// sley: reach=true race=true deadlock=true memory=true overflow=true args="--entry add"
// As first_pointer_is_shared, but atomic; results go to variables of the callers.

#include <stdatomic.h>

void add(atomic_int *counter, int *old) {
    *old = atomic_fetch_add(counter, 1);
}
