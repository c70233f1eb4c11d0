// Threads of Windows. The types have the sizes they have there; what programs need beyond threads is not here.
#ifndef SLEY_WINDOWS_H
#define SLEY_WINDOWS_H

#include "sley_features.h"
#include <stddef.h>

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

#define SRWLOCK_INIT { { 0 } }
#define CONDITION_VARIABLE_INIT { { 0 } }

HANDLE CreateThread(LPSECURITY_ATTRIBUTES attributes, SIZE_T stack, LPTHREAD_START_ROUTINE start, LPVOID argument,
                    DWORD flags, LPDWORD id);
DWORD ResumeThread(HANDLE thread);
void ExitThread(DWORD code) __attribute__((noreturn));
BOOL GetExitCodeThread(HANDLE thread, LPDWORD code);
DWORD GetCurrentThreadId(void);
BOOL CloseHandle(HANDLE handle);
DWORD WaitForSingleObject(HANDLE handle, DWORD milliseconds);
DWORD WaitForMultipleObjects(DWORD count, const HANDLE *handles, BOOL all, DWORD milliseconds);
void Sleep(DWORD milliseconds);
BOOL SwitchToThread(void);
DWORD GetLastError(void);

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
void WakeConditionVariable(PCONDITION_VARIABLE condition);
void WakeAllConditionVariable(PCONDITION_VARIABLE condition);

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
#define MemoryBarrier() __sync_synchronize()

#endif
