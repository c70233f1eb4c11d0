// What the models of formats need, natively: everything is known. What they give up on, or call undefined, is left out.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

jmp_buf left_out;
_Bool is_known = 1;
size_t lengths[2];                            // what is taken for a length that is not known, in order
int taken;

static void leave_out(void) { longjmp(left_out, 1); }

unsigned long long __sley_bits(double number)
{
    unsigned long long bits;
    memcpy(&bits, &number, sizeof bits);
    return bits;
}

_Bool __sley_is_known(double number) { return is_known; }
_Bool __sley_is_known_text(const char *text) { return 1; }
void __sley_rely_on(const char *assumption) {}
_Bool __sley_is_text(const char *text) { return 0; }
_Bool __sley_is_same_object(const void *one, const void *other) { return 0; }
size_t __sley_offset(const void *address) { return (size_t)address; }
size_t __sley_piece(const void *address) { return 1; }
void __sley_copy_padding(char *to, const char *from) { *to = *from; }
int __sley_argument_kind(va_list given) { return 0x200; }
_Bool __sley_mentions(const char *functions) { return 0; }
_Bool __sley_is_argument(const char *text) { return 0; }

void __sley_give_up(const char *reason) { leave_out(); }
void __sley_end(int how) { leave_out(); }
void __sley_assume(_Bool condition) { if (!condition) leave_out(); }
void __sley_check(_Bool condition, const char *property, const char *rule, const char *message)
{
    if (!condition)
        leave_out();
}

unsigned long __sley_unknown_ulong(const char *function)
{
    if (is_known)
        leave_out();
    return lengths[taken++];
}

#define ARBITRARY(name, type) \
    type __sley_nondet_##name(void) { return 0; } \
    type __sley_unknown_##name(const char *function) { return 'a'; }
ARBITRARY(bool, _Bool)
ARBITRARY(char, char)
ARBITRARY(int, int)
ARBITRARY(longlong, long long)
ARBITRARY(float, float)

double __sley_nondet_double(void) { return 0; }
double __sley_unknown_double(const char *function) { leave_out(); return 0; }

// Streams, the locale and `errno` play no part.
char sley_standard_output[64], sley_standard_input[64];
_Bool sley_read_from(void *stream) { return 0; }
void sley_end_of_stream(void *stream) {}
_Bool sley_writes(void *stream) { return 0; }
_Bool sley_is_foreign(int category) { return 0; }
_Bool __sley_uses_errno(void) { return 0; }
void sley_sets_errno(int error) {}
void sley_might_set_errno(int error) {}
void sley_touches_errno(void) {}
int sley_fails(void) { return -1; }
