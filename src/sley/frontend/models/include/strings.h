#ifndef SLEY_STRINGS_H
#define SLEY_STRINGS_H

#include <stddef.h>

void bzero(void *target, size_t size);
void bcopy(const void *source, void *target, size_t size);
int bcmp(const void *one, const void *other, size_t size);
char *index(const char *text, int character);
char *rindex(const char *text, int character);
int ffs(int value);
int strcasecmp(const char *one, const char *other);
int strncasecmp(const char *one, const char *other, size_t size);

#endif
