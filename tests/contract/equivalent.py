"""Faults that no question can notice, because no program can, by their names, and why."""

EQUIVALENT = {
    "windows.c number_of returns 0: return MOST_OBJECTS;": "no object has the number 0: it is never open",
    "pthread_locks.c pthread_barrier_destroy left out: __sley_check(state != SLEY_DESTROYED, "
    '"misuse", "destroy-twice", "a barrier is destroyed twice");': "the next check ends the same runs",
}
