#ifndef SLEY_INTTYPES_H
#define SLEY_INTTYPES_H

#include <stdint.h>

#ifdef __LP64__
#define SLEY_WIDE "l"
#else
#define SLEY_WIDE "ll"
#endif
#define PRId8 "d"
#define PRId16 "d"
#define PRId32 "d"
#define PRId64 SLEY_WIDE "d"
#define PRIi8 "i"
#define PRIi16 "i"
#define PRIi32 "i"
#define PRIi64 SLEY_WIDE "i"
#define PRIo32 "o"
#define PRIo64 SLEY_WIDE "o"
#define PRIu8 "u"
#define PRIu16 "u"
#define PRIu32 "u"
#define PRIu64 SLEY_WIDE "u"
#define PRIx8 "x"
#define PRIx16 "x"
#define PRIx32 "x"
#define PRIx64 SLEY_WIDE "x"
#define PRIX32 "X"
#define PRIX64 SLEY_WIDE "X"
#define PRIdPTR "ld"
#define PRIuPTR "lu"
#define PRIxPTR "lx"
#define PRIdMAX "jd"
#define PRIuMAX "ju"
#define SCNd32 "d"
#define SCNd64 SLEY_WIDE "d"
#define SCNu32 "u"
#define SCNu64 SLEY_WIDE "u"

intmax_t imaxabs(intmax_t value);
intmax_t strtoimax(const char *text, char **end, int base);
uintmax_t strtoumax(const char *text, char **end, int base);

#endif
