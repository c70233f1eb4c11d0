// Threads of Windows. The types have the sizes they have there; what programs need beyond threads is not here.
#ifndef SLEY_WINDOWS_H
#define SLEY_WINDOWS_H

#include "sley_features.h"
#include <stddef.h>
#include <stdint.h>

#define WINAPI
#define CALLBACK
#define APIENTRY
#define VOID void
#define TRUE 1
#define FALSE 0
#define INFINITE 0xFFFFFFFFu
#define WAIT_OBJECT_0 0u
#define WAIT_ABANDONED 0x80u
#define WAIT_ABANDONED_0 0x80u
#define WAIT_TIMEOUT 258u
#define WAIT_FAILED 0xFFFFFFFFu
#define STILL_ACTIVE 259u
#define CREATE_SUSPENDED 4u
#define MAXIMUM_WAIT_OBJECTS 64
#define INVALID_HANDLE_VALUE ((HANDLE)-1)
#define NO_ERROR 0u
#define ERROR_SUCCESS 0u
#define ERROR_INVALID_HANDLE 6u
#define ERROR_INVALID_PARAMETER 87u
#define ERROR_ALREADY_EXISTS 183u
#define ERROR_NOT_OWNER 288u
#define ERROR_TOO_MANY_POSTS 298u
#define ERROR_TIMEOUT 1460u

typedef int BOOL, LONG, *PLONG, *LPLONG;
typedef unsigned char BYTE, BOOLEAN;
typedef unsigned short WORD;
typedef unsigned int DWORD, UINT, ULONG, *PDWORD, *LPDWORD;
typedef long long LONGLONG, LONG64;
typedef unsigned long long ULONGLONG, DWORD64;
typedef char CHAR;
typedef void *PVOID, *LPVOID, *HANDLE, *PHANDLE;
typedef const char *LPCSTR;
typedef const unsigned short *LPCWSTR;
typedef size_t SIZE_T;
typedef DWORD (*LPTHREAD_START_ROUTINE)(LPVOID);
typedef void *LPSECURITY_ATTRIBUTES;

// The insides are in ../sley.h.
typedef union {
    char __size[40];
    long long __align;
} CRITICAL_SECTION, *PCRITICAL_SECTION, *LPCRITICAL_SECTION;

typedef union {
    char __size[8];
    long long __align;
} SRWLOCK, *PSRWLOCK;

typedef union {
    char __size[8];
    long long __align;
} CONDITION_VARIABLE, *PCONDITION_VARIABLE;

typedef union {
    char __size[8];
    long long __align;
} INIT_ONCE, *PINIT_ONCE;

typedef union {
    char __size[32];
    long long __align;
} SYNCHRONIZATION_BARRIER, *LPSYNCHRONIZATION_BARRIER;

typedef union {
    LONGLONG QuadPart;
    struct {
        DWORD LowPart;
        LONG HighPart;
    };
} LARGE_INTEGER;

#define SRWLOCK_INIT { { 0 } }
#define INIT_ONCE_STATIC_INIT { { 0 } }
#define RTL_CONDITION_VARIABLE_INIT CONDITION_VARIABLE_INIT
#define CONDITION_VARIABLE_LOCKMODE_SHARED 1
#define TLS_OUT_OF_INDEXES 0xFFFFFFFFu
#define __declspec(what) __SLEY_DECLSPEC_##what
#define __SLEY_DECLSPEC_thread __thread
#define __SLEY_DECLSPEC_noinline
#define __SLEY_DECLSPEC_noreturn
#define __SLEY_DECLSPEC_align(size) __attribute__((aligned(size)))
#define CONDITION_VARIABLE_INIT { { 0 } }

HANDLE CreateThread(LPSECURITY_ATTRIBUTES attributes, SIZE_T stack, LPTHREAD_START_ROUTINE start, LPVOID argument,
                    DWORD flags, LPDWORD id);
uintptr_t _beginthreadex(void *attributes, unsigned stack, unsigned (*start)(void *), void *argument, unsigned flags,
                         unsigned *id);
void _endthreadex(unsigned code) __attribute__((noreturn));
DWORD ResumeThread(HANDLE thread);
DWORD SuspendThread(HANDLE thread);
BOOL TerminateThread(HANDLE thread, DWORD code);
void ExitProcess(UINT code) __attribute__((noreturn));
void ExitThread(DWORD code) __attribute__((noreturn));
BOOL GetExitCodeThread(HANDLE thread, LPDWORD code);
DWORD GetCurrentThreadId(void);
BOOL CloseHandle(HANDLE handle);
DWORD WaitForSingleObject(HANDLE handle, DWORD milliseconds);
DWORD WaitForMultipleObjects(DWORD count, const HANDLE *handles, BOOL all, DWORD milliseconds);
DWORD WaitForSingleObjectEx(HANDLE handle, DWORD milliseconds, BOOL is_alertable);
DWORD WaitForMultipleObjectsEx(DWORD count, const HANDLE *handles, BOOL all, DWORD milliseconds, BOOL is_alertable);
void Sleep(DWORD milliseconds);
DWORD SleepEx(DWORD milliseconds, BOOL is_alertable);
DWORD GetTickCount(void);
ULONGLONG GetTickCount64(void);
BOOL QueryPerformanceCounter(LARGE_INTEGER *count);
BOOL QueryPerformanceFrequency(LARGE_INTEGER *frequency);
BOOL SwitchToThread(void);
DWORD GetLastError(void);
void SetLastError(DWORD error);

HANDLE CreateMutexA(LPSECURITY_ATTRIBUTES attributes, BOOL is_owned, LPCSTR name);
HANDLE CreateMutexW(LPSECURITY_ATTRIBUTES attributes, BOOL is_owned, LPCWSTR name);
BOOL ReleaseMutex(HANDLE mutex);
HANDLE CreateEventA(LPSECURITY_ATTRIBUTES attributes, BOOL is_manual, BOOL is_set, LPCSTR name);
HANDLE CreateEventW(LPSECURITY_ATTRIBUTES attributes, BOOL is_manual, BOOL is_set, LPCWSTR name);
BOOL SetEvent(HANDLE event);
BOOL ResetEvent(HANDLE event);
HANDLE CreateSemaphoreA(LPSECURITY_ATTRIBUTES attributes, LONG value, LONG most, LPCSTR name);
HANDLE CreateSemaphoreW(LPSECURITY_ATTRIBUTES attributes, LONG value, LONG most, LPCWSTR name);
BOOL ReleaseSemaphore(HANDLE semaphore, LONG count, LPLONG previous);
#define CreateMutex CreateMutexA
#define CreateEvent CreateEventA
#define CreateSemaphore CreateSemaphoreA

void InitializeCriticalSection(LPCRITICAL_SECTION section);
BOOL InitializeCriticalSectionAndSpinCount(LPCRITICAL_SECTION section, DWORD spins);
BOOL InitializeCriticalSectionEx(LPCRITICAL_SECTION section, DWORD spins, DWORD flags);
void EnterCriticalSection(LPCRITICAL_SECTION section);
BOOL TryEnterCriticalSection(LPCRITICAL_SECTION section);
void LeaveCriticalSection(LPCRITICAL_SECTION section);
void DeleteCriticalSection(LPCRITICAL_SECTION section);

void InitializeSRWLock(PSRWLOCK lock);
void AcquireSRWLockExclusive(PSRWLOCK lock);
void AcquireSRWLockShared(PSRWLOCK lock);
BOOLEAN TryAcquireSRWLockExclusive(PSRWLOCK lock);
BOOLEAN TryAcquireSRWLockShared(PSRWLOCK lock);
void ReleaseSRWLockExclusive(PSRWLOCK lock);
void ReleaseSRWLockShared(PSRWLOCK lock);

void InitializeConditionVariable(PCONDITION_VARIABLE condition);
BOOL SleepConditionVariableCS(PCONDITION_VARIABLE condition, LPCRITICAL_SECTION section, DWORD milliseconds);
BOOL SleepConditionVariableSRW(PCONDITION_VARIABLE condition, PSRWLOCK lock, DWORD milliseconds, ULONG flags);
void WakeConditionVariable(PCONDITION_VARIABLE condition);
void WakeAllConditionVariable(PCONDITION_VARIABLE condition);

typedef BOOL (*PINIT_ONCE_FN)(PINIT_ONCE once, PVOID parameter, PVOID *context);
BOOL InitOnceExecuteOnce(PINIT_ONCE once, PINIT_ONCE_FN initialise, PVOID parameter, LPVOID *context);
void InitOnceInitialize(PINIT_ONCE once);
BOOL InitializeSynchronizationBarrier(LPSYNCHRONIZATION_BARRIER barrier, LONG threads, LONG spins);
BOOL EnterSynchronizationBarrier(LPSYNCHRONIZATION_BARRIER barrier, DWORD flags);
BOOL DeleteSynchronizationBarrier(LPSYNCHRONIZATION_BARRIER barrier);
DWORD TlsAlloc(void);
BOOL TlsFree(DWORD key);
BOOL TlsSetValue(DWORD key, LPVOID value);
LPVOID TlsGetValue(DWORD key);

LONG InterlockedIncrement(LONG volatile *target);
LONG InterlockedDecrement(LONG volatile *target);
LONG InterlockedExchange(LONG volatile *target, LONG value);
LONG InterlockedExchangeAdd(LONG volatile *target, LONG value);
LONG InterlockedCompareExchange(LONG volatile *target, LONG value, LONG expected);
LONG InterlockedAnd(LONG volatile *target, LONG value);
LONG InterlockedOr(LONG volatile *target, LONG value);
LONG InterlockedXor(LONG volatile *target, LONG value);
LONG64 InterlockedIncrement64(LONG64 volatile *target);
LONG64 InterlockedDecrement64(LONG64 volatile *target);
LONG64 InterlockedExchange64(LONG64 volatile *target, LONG64 value);
LONG64 InterlockedExchangeAdd64(LONG64 volatile *target, LONG64 value);
LONG64 InterlockedCompareExchange64(LONG64 volatile *target, LONG64 value, LONG64 expected);
PVOID InterlockedExchangePointer(PVOID volatile *target, PVOID value);
PVOID InterlockedCompareExchangePointer(PVOID volatile *target, PVOID value, PVOID expected);
LONG InterlockedAdd(LONG volatile *target, LONG value);
LONG64 InterlockedAdd64(LONG64 volatile *target, LONG64 value);
short InterlockedIncrement16(short volatile *target);
short InterlockedDecrement16(short volatile *target);
LONG64 InterlockedAnd64(LONG64 volatile *target, LONG64 value);
LONG64 InterlockedOr64(LONG64 volatile *target, LONG64 value);
LONG64 InterlockedXor64(LONG64 volatile *target, LONG64 value);
BOOLEAN InterlockedBitTestAndSet(LONG volatile *target, LONG bit);
BOOLEAN InterlockedBitTestAndReset(LONG volatile *target, LONG bit);
#define MemoryBarrier() __sync_synchronize()

#endif
