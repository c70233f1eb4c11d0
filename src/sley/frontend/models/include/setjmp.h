#ifndef SLEY_SETJMP_H
#define SLEY_SETJMP_H

struct __jmp_buf_tag {
    long __registers[8];
    int __mask_was_saved;
    unsigned long __mask[128 / sizeof(unsigned long)];
};

typedef struct __jmp_buf_tag jmp_buf[1];
typedef struct __jmp_buf_tag sigjmp_buf[1];

int setjmp(jmp_buf environment);
int _setjmp(jmp_buf environment);
int sigsetjmp(sigjmp_buf environment, int saves_mask);
void longjmp(jmp_buf environment, int value) __attribute__((noreturn));
void siglongjmp(sigjmp_buf environment, int value) __attribute__((noreturn));

#endif
