// How a process ends, and what runs before.
//
// `__sley_run_exit_handlers` also runs when main returns, if the program needs it for anything.
#include "sley.h"

typedef void (*handler)(void);

#define LAST_THREAD_RUNS_HANDLERS \
    "main ends before the process, whose last thread then runs the handlers of atexit: this is not modelled"

enum { MOST_HANDLERS = 32 };
static _Atomic handler sley_exit_handlers[MOST_HANDLERS];
static _Atomic int sley_exit_handler_count;
static _Atomic handler sley_quick_exit_handlers[MOST_HANDLERS];
static _Atomic int sley_quick_exit_handler_count;
static _Atomic unsigned long sley_exiting;    // the thread that runs the handlers
static _Atomic _Bool sley_main_has_exited;

static void run(_Atomic handler *handlers, _Atomic int *count)
{
    while (*count > 0) {
        __sley_atomic_begin();
        int last = *count - 1;
        *count = last;
        handler latest = handlers[last];
        __sley_atomic_end();
        latest();
    }
}

// The latest first, also those that a handler adds. Another thread that exits meanwhile waits for the end.
void __sley_run_exit_handlers(void)
{
    if (sley_exit_handler_count == 0)
        return;
    __sley_atomic_begin();
    __sley_await(sley_exiting == 0 || sley_exiting == __sley_self());
    sley_exiting = __sley_self();
    __sley_atomic_end();
    run(sley_exit_handlers, &sley_exit_handler_count);
}

static int add(_Atomic handler *handlers, _Atomic int *count, handler added)
{
    if (*count >= MOST_HANDLERS)
        __sley_give_up("more than 32 handlers of atexit");
    __sley_atomic_begin();
    int place = *count;
    handlers[place] = added;
    *count = place + 1;
    __sley_atomic_end();
    return 0;
}

int atexit(handler added)
{
    __sley_require(__sley_run_exit_handlers);
    if (sley_main_has_exited)
        __sley_give_up(LAST_THREAD_RUNS_HANDLERS);
    return add(sley_exit_handlers, &sley_exit_handler_count, added);
}

int at_quick_exit(handler added)
{
    return add(sley_quick_exit_handlers, &sley_quick_exit_handler_count, added);
}

void exit(int status)
{
    __sley_run_exit_handlers();
    __sley_end(0);
}

void quick_exit(int status)
{
    run(sley_quick_exit_handlers, &sley_quick_exit_handler_count);
    __sley_end(0);
}

void _exit(int status)
{
    __sley_end(0);
}

void _Exit(int status)
{
    __sley_end(0);
}

// Main ends before the others: the last thread that ends would run the handlers.
void sley_main_exits(void)
{
    if (sley_exit_handler_count > 0)
        __sley_give_up(LAST_THREAD_RUNS_HANDLERS);
    sley_main_has_exited = 1;
}
