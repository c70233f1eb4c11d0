// Included before the models when they are compiled for a replay: a section whose condition does not hold has to
// begin again, so its beginning remembers where it is.
void *sley_native_stream(void *file);
#define SLEY_STREAM(file) ((struct sley_stream *)sley_native_stream(file))
#include "sley.h"

void **__sley_section(void);
void __sley_section_begins(void);
#define __sley_atomic_begin() (__builtin_setjmp(__sley_section()), __sley_section_begins())
