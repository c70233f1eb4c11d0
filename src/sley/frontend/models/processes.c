// What a process is told about itself. What is arbitrary but does not change is chosen when first asked for, and
// the same from then on; what may change, but seldom does, is the same or, in a possible bug only, anything else.
#include "sley.h"

enum { NOT_ASKED = -1 };

static int kept(_Atomic int *cell, int most)
{
    int any = __sley_nondet_int();
    __sley_assume(0 <= any && any < most);
    __sley_atomic_begin();
    int known = *cell;
    if (known == NOT_ASKED)
        *cell = known = any;
    __sley_atomic_end();
    return known;
}

enum { MOST_USERS = 0x7fffffff };

int getpid(void)
{
    static _Atomic int sley_process = NOT_ASKED;
    return 1 + kept(&sley_process, SLEY_MOST_PROCESSES - 1);
}

// The parent may end, and another process be the parent from then on.
int getppid(void)
{
    static _Atomic int sley_parent = NOT_ASKED;
    int parent = kept(&sley_parent, SLEY_MOST_PROCESSES);
    if (__sley_nondet_bool())
        return parent;
    int other = __sley_unknown_int("getppid");
    __sley_assume(0 <= other && other < SLEY_MOST_PROCESSES);
    return other;
}

// Of users, and of groups: who started the program, and whose rights it has.
enum { REAL, EFFECTIVE };
static _Atomic int sley_users[2] = {NOT_ASKED, NOT_ASKED};
static _Atomic int sley_groups[2] = {NOT_ASKED, NOT_ASKED};

unsigned int getuid(void)
{
    return (unsigned int)kept(&sley_users[REAL], MOST_USERS);
}

unsigned int geteuid(void)
{
    return (unsigned int)kept(&sley_users[EFFECTIVE], MOST_USERS);
}

unsigned int getgid(void)
{
    return (unsigned int)kept(&sley_groups[REAL], MOST_USERS);
}

unsigned int getegid(void)
{
    return (unsigned int)kept(&sley_groups[EFFECTIVE], MOST_USERS);
}

// Whoever may do so changes all, as the first user may, others their rights only (POSIX setuid).
static int change(_Atomic int *ids, unsigned int id, _Bool may_be_all)
{
    if (id >= MOST_USERS)
        return sley_fails_with(SLEY_EINVAL);
    if (__sley_nondet_bool())
        return sley_fails();
    if (may_be_all && (ids[EFFECTIVE] == 0 || __sley_nondet_bool()))
        ids[REAL] = (int)id;
    ids[EFFECTIVE] = (int)id;
    sley_touches_errno();
    return 0;
}

int setuid(unsigned int user)
{
    return change(sley_users, user, 1);
}

int seteuid(unsigned int user)
{
    return change(sley_users, user, 0);
}

int setgid(unsigned int group)
{
    return change(sley_groups, group, 1);
}

int setegid(unsigned int group)
{
    return change(sley_groups, group, 0);
}

int setsid(void)
{
    enum { SLEY_NO_LEADER = SLEY_EPERM };
    return __sley_nondet_bool() ? sley_fails_with(SLEY_NO_LEADER) : getpid();
}

// No child is made in the program, but it may have been started with some: what is told of them is a guess.
int waitpid(int process, int *status, int options)
{
    enum { WITHOUT_WAITING = 1 };
    if (__sley_nondet_bool())
        return sley_fails();
    int child = __sley_unknown_int("waitpid");
    __sley_assume(0 <= child && child <= SLEY_MOST_PROCESSES && (child || options & WITHOUT_WAITING));
    if (child && status)
        *status = __sley_unknown_int("waitpid");
    sley_touches_errno();
    return child;
}

int wait(int *status)
{
    return waitpid(-1, status, 0);
}

// --- limits -----------------------------------------------------------------------------------------

enum { CLOCK_TICKS = 2, PAGE_SIZE = 30, PROCESSORS = 83, PROCESSORS_IN_USE = 84, FREE_PAGES = 86, LAST_NAME = 248 };
enum { PAGE_SIZES = 5, SMALLEST_PAGE = 4096, MOST_PROCESSORS = 1 << 16 };

int getpagesize(void)
{
    static _Atomic int sley_page = NOT_ASKED;
    return SMALLEST_PAGE << kept(&sley_page, PAGE_SIZES);
}

static int processors(void)
{
    static _Atomic int sley_processors = NOT_ASKED;
    return 1 + kept(&sley_processors, MOST_PROCESSORS);
}

// Processors may be switched on and off.
static int processors_in_use(void)
{
    static _Atomic int sley_processors_in_use = NOT_ASKED;
    int most = processors(), count = 1 + kept(&sley_processors_in_use, MOST_PROCESSORS);
    __sley_assume(count <= most);
    if (__sley_nondet_bool())
        return count;
    int other = __sley_unknown_int("sysconf");
    __sley_assume(1 <= other && other <= most);
    return other;
}

int get_nprocs_conf(void)
{
    return processors();
}

int get_nprocs(void)
{
    return processors_in_use();
}

static long any_limit(void)
{
    long limit = __sley_nondet_long();
    __sley_assume(-1 <= limit && limit < __LONG_MAX__ / 4096);
    return limit;
}

// What is told about a name does not change. Of others than the one that was asked for first, it may, in a possible
// bug only.
static long other_limit(int name)
{
    static _Atomic int sley_limit_name = NOT_ASKED;
    static _Atomic long sley_limit;
    long limit = any_limit();
    _Bool is_known = 1;
    __sley_atomic_begin();
    if (sley_limit_name == NOT_ASKED) {
        sley_limit_name = name;
        sley_limit = limit;
    } else if (sley_limit_name == name) {
        limit = sley_limit;
    } else {
        is_known = 0;
    }
    __sley_atomic_end();
    if (!is_known)
        __sley_assume(__sley_unknown_bool("sysconf"));
    return limit;
}

long sysconf(int name)
{
    switch (name) {
    case CLOCK_TICKS:
        return 100;
    case PAGE_SIZE:
        return getpagesize();
    case PROCESSORS:
        return processors();
    case PROCESSORS_IN_USE:
        return processors_in_use();
    case FREE_PAGES:
        return any_limit();
    default:
        return name < 0 || name > LAST_NAME ? sley_fails_with(SLEY_EINVAL) : other_limit(name);
    }
}

static _Bool is_resource(int resource)
{
    enum { RESOURCES = 16 };
    return 0 <= resource && resource < RESOURCES;
}

// The two members of a limit.
int getrlimit(int resource, unsigned long *limit)
{
    if (!is_resource(resource))
        return sley_fails_with(SLEY_EINVAL);
    limit[0] = __sley_nondet_ulong();
    limit[1] = __sley_nondet_ulong();
    __sley_assume(limit[0] <= limit[1]);
    sley_touches_errno();
    return 0;
}

int setrlimit(int resource, const unsigned long *limit)
{
    if (!is_resource(resource) || limit[0] > limit[1])
        return sley_fails_with(SLEY_EINVAL);
    if (__sley_nondet_bool())
        return sley_fails();
    sley_touches_errno();
    return 0;
}

int gethostname(char *target, sley_size size)
{
    enum { LONGEST = 64 };
    if (__sley_nondet_bool())
        return sley_fails();
    sley_size length = __sley_nondet_ulong();
    __sley_assume(length <= LONGEST && length < size);
    for (sley_size at = 0; at < length; at++) {
        char one = __sley_nondet_char();
        __sley_assume(one != 0);
        target[at] = one;
    }
    target[length] = 0;
    sley_touches_errno();
    return 0;
}
