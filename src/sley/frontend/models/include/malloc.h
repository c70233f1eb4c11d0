#ifndef SLEY_MALLOC_H
#define SLEY_MALLOC_H

#include <stdlib.h>

void *memalign(size_t alignment, size_t size);

#endif
