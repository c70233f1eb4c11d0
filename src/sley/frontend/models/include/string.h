#ifndef SLEY_STRING_H
#define SLEY_STRING_H

#include "sley_features.h"
#include <stddef.h>
#include <strings.h>

void *memcpy(void *target, const void *source, size_t size);
void *memmove(void *target, const void *source, size_t size);
void *memset(void *target, int value, size_t size);
int memcmp(const void *one, const void *other, size_t size);
void *memchr(const void *block, int value, size_t size);
size_t strlen(const char *text);
size_t strnlen(const char *text, size_t size);
char *strcpy(char *target, const char *source);
char *strncpy(char *target, const char *source, size_t size);
char *strcat(char *target, const char *source);
char *strncat(char *target, const char *source, size_t size);
int strcmp(const char *one, const char *other);
int strncmp(const char *one, const char *other, size_t size);
int strcoll(const char *one, const char *other);
char *strchr(const char *text, int character);
char *strrchr(const char *text, int character);
char *strstr(const char *text, const char *part);
char *strpbrk(const char *text, const char *set);
size_t strspn(const char *text, const char *set);
size_t strcspn(const char *text, const char *set);
char *strtok(char *text, const char *separators);
char *strtok_r(char *text, const char *separators, char **rest);
char *strdup(const char *text);
char *strndup(const char *text, size_t size);
char *stpcpy(char *target, const char *source);
char *strsep(char **rest, const char *separators);
char *strchrnul(const char *text, int character);
void *mempcpy(void *target, const void *source, size_t size);
void *memrchr(const void *block, int value, size_t size);
size_t strlcpy(char *target, const char *source, size_t size);
char *strerror(int number);
char *strsignal(int number);
#ifdef _GNU_SOURCE
char *strerror_r(int number, char *target, size_t size);
#else
int strerror_r(int number, char *target, size_t size);
#endif
size_t strxfrm(char *target, const char *source, size_t size);
char *stpncpy(char *target, const char *source, size_t size);
size_t strlcat(char *target, const char *source, size_t size);
char *strcasestr(const char *text, const char *part);
void *memmem(const void *block, size_t size, const void *part, size_t length);
void *memccpy(void *target, const void *source, int value, size_t size);
void *rawmemchr(const void *block, int value);
void explicit_bzero(void *target, size_t size);

#endif
