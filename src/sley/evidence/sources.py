"""The step that an event follows from: it wrote what is read, released the lock, or woke the thread."""

from collections.abc import Iterator

BLOCKED = "sley_blocked"
"""The object of the model of condition variables that has a bit for each thread that waits for one."""


class RunSources:
    """What has happened in a run so far, by step; threads interleave."""

    def __init__(self) -> None:
        self._written: dict[int, int] = {}
        """For each byte the step that wrote it last."""
        self._released: dict[int, int] = {}
        self._taken: dict[int, int] = {}
        self._ended: dict[int, int] = {}
        self._woken: dict[int, int] = {}

    def write(self, address: int, size: int, step: int) -> None:
        """Bytes get a value."""
        self._written.update(dict.fromkeys(range(address, address + size), step))

    def written(self, address: int, size: int) -> int | None:
        """The step that wrote all these bytes; None if none did, or several did."""
        steps = {self._written.get(byte) for byte in range(address, address + size)}
        return steps.pop() if len(steps) == 1 else None

    def forget(self, first: int, last: int) -> None:
        """An object begins to live: it was never written."""
        for byte in [byte for byte in self._written if first <= byte <= last]:
            del self._written[byte]

    def lock(self, address: int, step: int) -> int | None:
        """A lock is taken; the step that released it before."""
        self._taken[address] = step
        return self._released.get(address)

    def unlock(self, address: int, step: int) -> int | None:
        """A lock is released; the step that took it."""
        self._released[address] = step
        return self._taken.get(address)

    def taken(self, address: int) -> int | None:
        """The step that took a lock last."""
        return self._taken.get(address)

    def end(self, thread: int, step: int) -> None:
        """A thread ends."""
        self._ended[thread] = step

    def ended(self, thread: int) -> int | None:
        """The step with which a thread ended."""
        return self._ended.get(thread)

    def blocked(self, old: object, new: object, *, by: int, step: int) -> None:
        """Other threads wait for a condition than before; no thread wakes itself."""
        if isinstance(old, int) and isinstance(new, int):
            self._woken.update({thread: step for thread in _bits(old & ~new) if thread != by})

    def wake(self, thread: int) -> int | None:
        """A thread goes on; the step that woke it up, if it was woken."""
        return self._woken.pop(thread, None)


def _bits(word: int) -> Iterator[int]:
    return (bit for bit in range(word.bit_length()) if word >> bit & 1)
