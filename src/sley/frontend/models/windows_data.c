// What Windows keeps for each thread: the last error, and values by index; and its clocks.
#include "sley.h"

// --- the last error ---------------------------------------------------------------------------------
// Set by what fails. What succeeds may set it or not: until the next failure it is any number, but stays that.

enum { INVALID_PARAMETER = 87 };

static _Thread_local unsigned int sley_last_error;
static _Thread_local _Bool sley_last_error_is_known;

void SetLastError(unsigned int error)
{
    sley_last_error = error;
    sley_last_error_is_known = 1;
}

unsigned int GetLastError(void)
{
    if (!sley_last_error_is_known)
        SetLastError(__sley_nondet_uint());
    return sley_last_error;
}

// Returns FALSE.
int sley_windows_fails(unsigned int error)
{
    if (__sley_mentions("GetLastError"))
        SetLastError(error);
    return 0;
}

// The same where nothing is said about which error it is.
int sley_windows_fails_somehow(void)
{
    if (!__sley_mentions("GetLastError"))
        return 0;
    unsigned int error = __sley_nondet_uint();
    __sley_assume(error != 0);
    SetLastError(error);
    return 0;
}

// Returns TRUE.
int sley_windows_succeeds(void)
{
    if (__sley_mentions("GetLastError"))
        sley_last_error_is_known = 0;
    return 1;
}

// --- values by index --------------------------------------------------------------------------------
// An index is any number but one, different from the others that are in use.

enum { MOST_INDICES = 16 };
static const unsigned int OUT_OF_INDEXES = 0xFFFFFFFF;

static _Atomic unsigned int sley_indices[MOST_INDICES];
static _Atomic unsigned int sley_index_count;
static _Atomic unsigned int sley_used_indices;           // bit by bit
static _Thread_local void *sley_values[MOST_INDICES];

// In an atomic section; MOST_INDICES if no such index is in use.
static unsigned int search(unsigned int index)
{
    unsigned int count = sley_index_count, used = sley_used_indices;
    for (unsigned int place = 0; place < count; place++)
        if (sley_indices[place] == index && used >> place & 1)
            return place;
    return MOST_INDICES;
}

static unsigned int place_of(unsigned int index)
{
    __sley_atomic_begin();
    unsigned int place = search(index);
    __sley_atomic_end();
    return place;
}

// A place is used once: all threads find null there. Of two threads with the same index, the later one does not get
// beyond this.
unsigned int TlsAlloc(void)
{
    if (__sley_create_fails("TlsAlloc fails: returns TLS_OUT_OF_INDEXES")) {
        sley_windows_fails_somehow();
        return OUT_OF_INDEXES;
    }
    unsigned int index = __sley_nondet_uint();
    __sley_assume(index != OUT_OF_INDEXES);
    __sley_atomic_begin();
    unsigned int count = sley_index_count, used = sley_used_indices;
    if (count == MOST_INDICES)
        __sley_give_up("more than 16 indices of TlsAlloc");
    sley_indices[count] = index;
    sley_index_count = count + 1;
    sley_used_indices = used | 1U << count;
    __sley_atomic_end();
    for (unsigned int place = 0; place < count; place++)
        __sley_assume(!(used >> place & 1) || sley_indices[place] != index);
    sley_windows_succeeds();
    return index;
}

int TlsFree(unsigned int index)
{
    unsigned int place = place_of(index);
    if (place == MOST_INDICES)
        return sley_windows_fails(INVALID_PARAMETER);
    sley_used_indices &= ~(1U << place);
    return sley_windows_succeeds();
}

int TlsSetValue(unsigned int index, void *value)
{
    unsigned int place = place_of(index);
    if (place == MOST_INDICES)
        return sley_windows_fails(INVALID_PARAMETER);
    sley_values[place] = value;
    return sley_windows_succeeds();
}

// After null the last error is asked for, which is 0 if null is the value.
void *TlsGetValue(unsigned int index)
{
    unsigned int place = place_of(index);
    sley_windows_fails(place == MOST_INDICES ? INVALID_PARAMETER : 0);
    return place == MOST_INDICES ? 0 : sley_values[place];
}

// --- clocks -----------------------------------------------------------------------------------------

// Begins again at 0 after 49 days.
unsigned int GetTickCount(void)
{
    return __sley_nondet_uint();
}

// So many milliseconds are 69 years.
enum { BITS = 64, TICK_BITS = 41, COUNTER_BITS = 43 };

// Milliseconds since the system was started, of which there are never fewer.
unsigned long long GetTickCount64(void)
{
    static _Thread_local unsigned long long sley_ticks;
    __sley_rely_on("Windows runs for less than 69 years");
    unsigned long long ticks = __sley_unknown_ulonglong("GetTickCount64") >> (BITS - TICK_BITS);
    __sley_assume(sley_ticks <= ticks);
    sley_ticks = ticks;
    return ticks;
}

int QueryPerformanceCounter(long long *result)
{
    static _Thread_local unsigned long long sley_count;
    *result = 0;                                         // whoever gives no place for it is told so first
    __sley_rely_on("QueryPerformanceCounter counts to less than 2^43");
    unsigned long long count = __sley_unknown_ulonglong("QueryPerformanceCounter") >> (BITS - COUNTER_BITS);
    __sley_assume(sley_count <= count);
    sley_count = count;
    *result = (long long)count;
    return sley_windows_succeeds();
}

// The same as long as the system runs.
int QueryPerformanceFrequency(long long *result)
{
    static _Atomic long long sley_frequency;
    long long frequency = 1 + (long long)(__sley_nondet_ulonglong() >> (BITS - COUNTER_BITS));
    __sley_atomic_begin();
    if (sley_frequency)
        frequency = sley_frequency;
    else
        sley_frequency = frequency;
    __sley_atomic_end();
    *result = frequency;
    return sley_windows_succeeds();
}
