// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=true
// What pthread_cleanup_push and pop are in a file that was preprocessed with the headers of glibc.
typedef unsigned long pthread_t;
extern int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
extern int pthread_join(pthread_t, void **);
extern void __assert_fail(const char *, const char *, unsigned int, const char *) __attribute__((noreturn));
typedef long __jmp_buf[8];
typedef struct {
    struct { __jmp_buf __cancel_jmp_buf; int __mask_was_saved; } __cancel_jmp_buf[1];
    void *__pad[4];
} __pthread_unwind_buf_t;
extern void __pthread_register_cancel(__pthread_unwind_buf_t *__buf);
extern void __pthread_unregister_cancel(__pthread_unwind_buf_t *__buf);
extern void __pthread_unwind_next(__pthread_unwind_buf_t *__buf) __attribute__((noreturn));
struct __jmp_buf_tag;
extern int __sigsetjmp_cancel(void *__env, int __savemask) __attribute__((returns_twice));
int count;
void handler(void *unused)
{
    count++;
}
void *worker(void *unused)
{
    do { __pthread_unwind_buf_t __cancel_buf; void (*__cancel_routine)(void *) = (handler);
    void *__cancel_arg = (0);
    int __not_first_call = __sigsetjmp_cancel(__cancel_buf.__cancel_jmp_buf, 0);
    if (__builtin_expect((__not_first_call), 0)) { __cancel_routine(__cancel_arg); __pthread_unwind_next(&__cancel_buf); }
    __pthread_register_cancel(&__cancel_buf); do {;
    count++;
    do { } while (0); } while (0);
    __pthread_unregister_cancel(&__cancel_buf); if (1) __cancel_routine(__cancel_arg); } while (0);
    return 0;
}
int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    pthread_join(thread, 0);
    ((count == 2) ? (void)0 : __assert_fail("count == 2", "cleanup.c", 30, "main"));
    return 0;
}
